import { oldRows } from '../jobs/index.ts'

const timed = { type: 'uuid', due: 'at < now() - make_interval(secs => $days::float8 * 86400)', order: 'at' } as const

export const oldTurns = oldRows('usage.forget_turns', { ...timed, table: 'turn_records', columns: ['record_id'] })
export const oldUsage = oldRows('usage.forget_rows', { ...timed, table: 'usage_rows', columns: ['usage_id'] })

/** A conversation on a day: the day in ten characters, a space, and its id. */
export const oldDays = oldRows('usage.forget_days', {
  table: 'conversation_days',
  id: `to_char(day, 'YYYY-MM-DD') || ' ' || session_id`,
  columns: ['day', 'session_id'],
  type: 'text',
  isFound: `r.day = substr(found.id, 1, 10)::date and r.session_id = substr(found.id, 12)`,
  due: 'day < current_date - $days::int',
  order: 'day',
})
