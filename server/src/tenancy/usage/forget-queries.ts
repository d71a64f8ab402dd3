import { statement } from '../../kernel/db/index.ts'
import {
  deleteFound,
  dueRows,
  type FoundRows,
  SWEEP,
  type SweepFound,
  type SweepLook,
  type TakenRows,
} from '../jobs/index.ts'

type Look = SweepLook & { days: number }
type Taking = FoundRows & { days: number }

const isPast = 'at < now() - make_interval(secs => $days::float8 * 86400)'

const listOld = (name: string, table: string, id: string) =>
  statement<SweepFound, Look>(name, dueRows({ table, id: `${id}::text`, due: isPast, order: 'at' }), { looks: SWEEP })

const forget = (name: string, table: string, id: string) =>
  statement<TakenRows, Taking>(name, deleteFound({ table, columns: [id], type: 'uuid', due: isPast }), {
    batches: SWEEP,
  })

export const listOldTurns = listOld('usage.list_old_turns', 'turn_records', 'record_id')
export const forgetTurns = forget('usage.forget_turns', 'turn_records', 'record_id')

export const listOldRows = listOld('usage.list_old_rows', 'usage_rows', 'usage_id')
export const forgetRows = forget('usage.forget_rows', 'usage_rows', 'usage_id')

const dayIsPast = 'day < current_date - $days::int'

/** A conversation on a day: the day in ten characters, a space, and its id. */
export const listOldDays = statement<SweepFound, Look>(
  'usage.list_old_days',
  dueRows({
    table: 'conversation_days',
    id: `to_char(day, 'YYYY-MM-DD') || ' ' || session_id`,
    due: dayIsPast,
    order: 'day',
  }),
  { looks: SWEEP },
)

export const forgetDays = statement<TakenRows, Taking>(
  'usage.forget_days',
  deleteFound({
    table: 'conversation_days',
    columns: ['day', 'session_id'],
    type: 'text',
    isFound: `r.day = substr(found.id, 1, 10)::date and r.session_id = substr(found.id, 12)`,
    due: dayIsPast,
  }),
  { batches: SWEEP },
)
