// Somebody who reads the trail by `after` all along, as a tenant's own archive would.
import { createHash } from 'node:crypto'
import { type Database, unlisted } from '../../src/kernel/db/index.ts'
import type { Fleet } from './fleet.ts'
import type { Shop } from './shop.ts'
import { pause } from './wait.ts'

export type Paged = {
  readonly pages: number
  readonly events: number
  /** In the table at the end, and never seen. */
  readonly missed: number
  /** Seen twice, out of order, or other than they stand. */
  readonly wrong: number
  /** Files that were fetched twice, and those of them that were other bytes the second time. */
  readonly filesTwice: number
  readonly filesOther: number
  /** Workspaces whose chain does not hold. */
  readonly chainsBroken: number
}

type Seen = { readonly id: number; readonly event: string; readonly actionId: string | null }
type Page = { events: Seen[]; nextAfter: number | null }

export type Pager = {
  /** Ends the reading along. */
  halt(): Promise<void>
  /** Reads to the end, and compares. */
  finish(db: Database): Promise<Paged>
}

const PAGE = 100
const EVERY_MS = 60

export function startPager(fleet: Fleet, shops: readonly Shop[]): Pager {
  const archives = new Map<Shop, Seen[]>(shops.map((shop) => [shop, []]))
  const files = { twice: 0, other: 0 }
  let pages = 0
  let stopping = false
  const readOn = async (shop: Shop, seen: Seen[]): Promise<boolean> => {
    const path = `/v1/audit?after=${seen.at(-1)?.id ?? 0}&limit=${PAGE}`
    const page = (await fleet.insist(pages++, 'GET', path, { key: shop.apiKey })).body as Page
    seen.push(...page.events)
    const before = (seen.at(-1)?.id ?? 0) - PAGE
    // What is full stays as it is, however much is written behind it.
    if (before >= 0 && pages % 10 === 0) {
      files.twice++
      if (!(await sameTwice(fleet, shop, `/v1/audit?after=${before}&limit=${PAGE}`))) files.other++
    }
    return page.nextAfter !== null
  }
  const reading = (async () => {
    while (!stopping) {
      for (const [shop, seen] of archives) await readOn(shop, seen)
      await pause(EVERY_MS)
    }
  })()
  // It is waited for in `halt`; until then its failure is nobody's surprise.
  reading.catch(() => undefined)
  return {
    async halt() {
      stopping = true
      await reading
    },
    async finish(db) {
      let [events, missed, wrong, chainsBroken] = [0, 0, 0, 0]
      for (const [shop, seen] of archives) {
        while (await readOn(shop, seen));
        const found = await compare(db, shop, seen)
        events += seen.length
        missed += found.missed
        wrong += found.wrong
        files.twice++
        if (!(await sameTwice(fleet, shop, '/v1/audit?limit=1000'))) files.other++
        const verified = await fleet.insist(0, 'GET', '/v1/audit/verify', { key: shop.apiKey })
        if ((verified.body as { ok?: boolean }).ok !== true) chainsBroken++
      }
      return { pages, events, missed, wrong, filesTwice: files.twice, filesOther: files.other, chainsBroken }
    },
  }
}

const listed = unlisted<Seen, { tenantId: number }>(
  'proof.trail',
  `select id, event, action_id as "actionId" from audit_events where tenant_id = $tenantId::int order by id`,
)

async function compare(db: Database, shop: Shop, seen: readonly Seen[]): Promise<{ missed: number; wrong: number }> {
  const standing = await db.rows(listed, { tenantId: shop.tenantId })
  const byId = new Map(seen.map((event) => [event.id, event]))
  const same = (one: Seen, other: Seen) => one.event === other.event && one.actionId === other.actionId
  const missed = standing.filter(({ id }) => !byId.has(id)).length
  const other = standing.filter((event) => !same(event, byId.get(event.id) ?? event)).length
  const gaps = standing.filter(({ id }, place) => id !== place + 1).length
  return { missed, wrong: other + gaps + (seen.length - byId.size) }
}

async function sameTwice(fleet: Fleet, shop: Shop, path: string): Promise<boolean> {
  const asked = { key: shop.apiKey, headers: { accept: 'text/csv' } }
  const digests = []
  for (const seat of [0, 1]) {
    const { status, text } = await fleet.insist(seat, 'GET', path, asked)
    if (status !== 200 || !text.startsWith('id,')) throw new Error(`The file ${path} answered ${status} ${text}`)
    digests.push(createHash('sha256').update(text).digest('hex'))
  }
  return digests[0] === digests[1]
}
