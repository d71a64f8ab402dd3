// The list of deliveries where its table is whole, and where it is divided by month, with the service's own statement, in processor time
// of the database as Linux counts it.

import { type Database, openDatabase } from '../../server/src/kernel/db/index.ts'
import { type DeliveryFilters, listDeliveries } from '../../server/src/tenancy/events/queries.ts'
import type { Result } from '../parts/report.ts'
import { median, ratioOf, rounded, takeTurns } from '../parts/rounds.ts'
import { sized } from '../parts/scale.ts'
import { readBackend, timesOf } from '../parts/spent.ts'
import { placeOld } from '../years/fill.ts'

const MONTHS = 13
const EACH = sized(600)
const PAGES = 20

// Its key has to hold the time as well.
const divided = `do $$
declare
  made text;
begin
  create table months (like deliveries including defaults including identity) partition by range (attempted_at);
  for back in 0..${MONTHS} loop
    execute format('create table months_%s partition of months for values from (%L) to (%L)', back,
      date_trunc('month', now()) - back * interval '1 month', date_trunc('month', now()) - (back - 1) * interval '1 month');
  end loop;
  alter table months add primary key (tenant_id, delivery_id, attempted_at);
  for made in
    select regexp_replace(indexdef, 'INDEX \\w+ ON public\\.deliveries', 'INDEX ON public.months') from pg_indexes
     where tablename = 'deliveries' and indexname <> 'deliveries_pkey'
  loop
    execute made;
  end loop;
  drop table deliveries;
  alter table months rename to deliveries;
end $$`

const EVERYTHING = { delivered: null, event: null, actionId: null, eventId: null, before: null, limit: 50 }
const ASKED: Readonly<Record<string, Partial<DeliveryFilters>>> = {
  'the newest page': {},
  'a page by id': { before: (EACH * 1000) / 2 },
  'what is of one event': { eventId: 'evt_300007' },
}

export async function compareMonths(wholeUrl: string, monthsUrl: string): Promise<Result[]> {
  const [whole, months] = [await open(wholeUrl), await open(monthsUrl)]
  try {
    await months.script(divided)
    for (const db of [whole, months]) {
      await placeOld(db, ['deliveries'], { each: EACH, daysApart: (MONTHS * 30) / EACH, daysAgo: 0 })
      await db.script('vacuum (analyze) deliveries')
    }
    const results: Result[] = []
    for (const [name, filters] of Object.entries(ASKED)) results.push(await compare(name, filters, { whole, months }))
    return results
  } finally {
    await whole.close()
    await months.close()
  }
}

const open = (url: string): Promise<Database> =>
  openDatabase({ at: { url, poolSize: 1, prepared: true }, statementTimeoutMs: 0, warn: () => undefined })

async function compare(
  name: string,
  filters: Partial<DeliveryFilters>,
  { whole, months }: { readonly whole: Database; readonly months: Database },
): Promise<Result> {
  let turn = 0
  const pages = (db: Database) => async () => {
    const { pid = 0 } = (await db.one(readBackend)) ?? {}
    const before = timesOf(pid).ranMs
    for (let n = 0; n < PAGES; n++)
      await db.rows(listDeliveries, { ...EVERYTHING, ...filters, tenantId: 1_000_001 + (turn++ % 1000) })
    return (PAGES * 1000) / (timesOf(pid).ranMs - before)
  }
  const took = await takeTurns({ whole: pages(whole), months: pages(months) }, { rounds: 20, warmUpRounds: 4 })
  const ms = (rates: readonly number[]) => rounded(1000 / median(rates))
  return {
    what: `by month to whole, ${name}`,
    ...ratioOf(took.whole, took.months),
    figures: { wholeMs: ms(took.whole), monthsMs: ms(took.months) },
  }
}
