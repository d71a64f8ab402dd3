import type { House } from '../context/index.ts'
import { countEvents, type EventCount } from './queries.ts'

/** How often each event happened, by UTC day and altogether. */
export const eventCounts = (
  { db }: Pick<House, 'db'>,
  tenantId: number,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<EventCount[]> => db.rows(countEvents, { tenantId, from, to })
