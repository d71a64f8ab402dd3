import { readInstant, refuse } from '../../kernel/http/index.ts'

const DAY = 86_400_000
const PRESET_DAYS = 30
const MOST_DAYS = 366

export type Period = { readonly from: Date; readonly to: Date }

/**
 * At or after `from` and before `to`. The default is the last 30 days, and the longest is a year. A date means midnight
 * UTC.
 */
export function periodOf(asked: { from?: string | undefined; to?: string | undefined }, now: number): Period {
  const to = timeOf('to', asked.to) ?? now
  const from = timeOf('from', asked.from) ?? to - PRESET_DAYS * DAY
  if (to < from) throw refuse('invalid_period', '`to` is earlier than `from`. Swap them, or leave one out.')
  if (to - from > MOST_DAYS * DAY)
    throw refuse('invalid_period', `The period is longer than ${MOST_DAYS} days. Ask for a shorter one.`)
  return { from: new Date(from), to: new Date(to) }
}

function timeOf(name: 'from' | 'to', text: string | undefined): number | undefined {
  const instant = readInstant(name, text)
  return instant === undefined ? undefined : Date.parse(instant)
}
