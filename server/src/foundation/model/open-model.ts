// The settings decide who answers.
import { openAiSdk } from './ai-sdk/open.ts'
import { openChatCompletions } from './chat-completions/open.ts'
import { openOffline } from './offline/open.ts'
import type { ClosableModel } from './port.ts'
import type { Prices } from './prices.ts'

/** `settings.ai`, as far as it is about models. */
export type ModelSettings = {
  readonly provider: {
    readonly kind: 'offline' | 'openai-compatible' | 'openai' | 'anthropic' | 'google'
    readonly baseUrl: string | undefined
    readonly apiKey: string | undefined
    readonly timeoutSeconds: number
    readonly silenceSeconds: number
  }
  readonly models: Readonly<Record<'default' | PlanKey, string | undefined>>
  readonly prices: Prices
}

type PlanKey = 'free' | 'bring_your_ai' | 'use_tether_ai' | 'starter' | 'growth' | 'enterprise'

export function openModel({ provider }: Pick<ModelSettings, 'provider'>, now: () => number): ClosableModel {
  const { kind, baseUrl, apiKey, timeoutSeconds, silenceSeconds } = provider
  const limits = { totalMs: timeoutSeconds * 1000, silenceMs: silenceSeconds * 1000, now }
  switch (kind) {
    case 'offline':
      return openOffline()
    case 'openai-compatible':
      if (baseUrl === undefined) throw new Error('AI:Provider:BaseUrl is missing.')
      return openChatCompletions({ ...limits, baseUrl, apiKey })
    default:
      if (apiKey === undefined) throw new Error('AI:Provider:ApiKey is missing.')
      return openAiSdk({ ...limits, kind, baseUrl, apiKey })
  }
}

/** The model that a plan's turns ask for; `offline` where no model is set up. */
export function modelOf({ provider, models }: Pick<ModelSettings, 'provider' | 'models'>, plan: string): string {
  if (provider.kind === 'offline') return 'offline'
  const named = Object.entries(models).find(([key]) => key === plan.toLowerCase())?.[1] ?? models.default
  if (named === undefined) throw new Error('AI:Models:Default is missing.')
  return named
}
