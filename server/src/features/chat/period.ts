import { readInstant, refuse } from '../../foundation/http/index.ts'

const DAY = 86_400_000
const PRESET_DAYS = 30
const MOST_DAYS = 366

export type Period = { readonly from: Date; readonly to: Date }

/** At or after `from` and before `to`; 30 days up to now unless said, a year at most. */
export function periodOf(asked: { from?: string | undefined; to?: string | undefined }, now: number): Period {
  const to = timeOf('to', asked.to) ?? now
  const from = timeOf('from', asked.from) ?? to - PRESET_DAYS * DAY
  if (to < from) throw refuse('invalid_period', '`to` is earlier than `from`.')
  if (to - from > MOST_DAYS * DAY) throw refuse('invalid_period', `A period is at most ${MOST_DAYS} days long.`)
  return { from: new Date(from), to: new Date(to) }
}

function timeOf(name: 'from' | 'to', text: string | undefined): number | undefined {
  const instant = readInstant(name, text)
  return instant === undefined ? undefined : Date.parse(instant)
}
