import type { Context } from '../../../tenancy/context/index.ts'
import { periodOf } from '../../../tenancy/usage/index.ts'

type InsightsRequest = {
  readonly prompt?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

const DEFAULT_PROMPT = 'What stands out in this period? Show the figures that matter most.'

/** Makes the instructions for a question about a period. */
export function instructionsOf({ clock }: Context, { prompt, from, to }: InsightsRequest) {
  const period = periodOf({ from, to }, clock.now())
  return {
    prompt: prompt?.trim() ? prompt : DEFAULT_PROMPT,
    instructions: `Look at the time from ${period.from.toISOString()} to before ${period.to.toISOString()}. Answer with figures in blocks where you can.`,
  }
}
