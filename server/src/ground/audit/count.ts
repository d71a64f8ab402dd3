import type { House } from '../context/index.ts'
import { countEvents, type EventCount } from './queries.ts'

/** Counts each event by UTC day and in total. */
export const eventCounts = (
  { db }: Pick<House, 'db'>,
  tenantId: number,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<EventCount[]> => db.rows(countEvents, { tenantId, from, to })
