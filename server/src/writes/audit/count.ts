import type { House } from '../../tenancy/context/index.ts'
import { countEvents, type EventCount, listEventDays } from './queries.ts'

type Db = Pick<House, 'db'>
type Between = { readonly from: Date; readonly to: Date }

/** How often each event happened on each UTC day from one midnight to another, as it was counted when it happened. */
export const eventDays = ({ db }: Db, tenantId: number, { from, to }: Between): Promise<EventCount[]> =>
  db.rows(listEventDays, { tenantId, from, to })

/** The same by looking at every event, for a part of a day. */
export const eventCounts = ({ db }: Db, tenantId: number, { from, to }: Between): Promise<EventCount[]> =>
  db.rows(countEvents, { tenantId, from, to })
