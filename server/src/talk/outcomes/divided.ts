import type { Period } from '../../tenancy/usage/index.ts'

const DAY = 86_400_000

/**
 * The UTC days that a period holds whole, and what it holds of others. Nothing has happened after now, so that a period which ends now
 * holds the current day whole.
 */
export function divided({ from, to }: Period, now: number): { whole: Period | null; parts: readonly Period[] } {
  const [start, end] = [from.getTime() / DAY, to.getTime() / DAY]
  const first = Math.ceil(start)
  const last = to.getTime() >= now ? Math.ceil(end) : Math.floor(end)
  if (first > last) return { whole: null, parts: [{ from, to }] }
  const whole = { from: new Date(first * DAY), to: new Date(last * DAY) }
  const parts = [
    { from, to: whole.from },
    { from: whole.to, to },
  ]
  return { whole: first < last ? whole : null, parts: parts.filter((part) => part.from < part.to) }
}
