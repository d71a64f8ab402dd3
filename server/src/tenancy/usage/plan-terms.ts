import type { Settings } from '../../kernel/settings/index.ts'

export type PlanTerms = Settings['plans']['free']

/** What a plan allows. A plan that we no longer know allows what the free one does. */
export function planTerms({ plans }: Settings, plan: string): PlanTerms {
  switch (plan) {
    case 'bring_your_ai':
      return plans.bringYourAi
    case 'use_tether_ai':
      return plans.useTetherAi
    case 'Starter':
      return plans.starter
    case 'Growth':
      return plans.growth
    case 'Enterprise':
      return plans.enterprise
    default:
      return plans.free
  }
}

export const isFree = (plan: string): boolean => plan.toLowerCase() === 'free'
