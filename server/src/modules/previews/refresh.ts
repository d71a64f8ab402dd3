import { isUnavailable } from '../../kernel/db/index.ts'
import { Refusal } from '../../kernel/http/index.ts'
import type { House } from '../../tenancy/context/index.ts'
import { type Duty, type Sweep, sweep } from '../../tenancy/jobs/index.ts'
import { type Crawls, tenantLimits } from './crawls.ts'
import { beginCrawl, valuesOf } from './ingest.ts'
import * as sql from './queries.ts'

const HOUR_SECONDS = 3_600
const LOOK_MS = 60_000

/** Reads the sites of workspaces again, where the operator wants that. */
export const refreshDuty = (house: House, crawls: Crawls): Duty => ({
  name: 'previews.refresh',
  everyMs: LOOK_MS,
  work: (signal) =>
    house.settings.preview.refreshHours === 0 ? Promise.resolve(0) : sweep(house, due(house, crawls, signal), signal),
})

const due = (house: House, crawls: Crawls, signal: AbortSignal): Sweep => {
  const seconds = house.settings.preview.refreshHours * HOUR_SECONDS
  return {
    name: 'previews.refresh',
    batch: 20,
    look: (what) => house.db.rows(sql.listToRefresh, { ...what, seconds }),
    take: async ({ tenantId }) => ({ taken: await refresh(house, crawls, { tenantId, seconds, signal }) }),
  }
}

type Due = { readonly tenantId: number; readonly seconds: number; readonly signal: AbortSignal }

/** Returns 1 if it looked at the site, and 0 if somebody else does, or has just done so. */
async function refresh(house: House, crawls: Crawls, { tenantId, seconds, signal }: Due): Promise<number> {
  const crawlId = await beginCrawl(house, tenantId).catch((error: unknown) => {
    if (error instanceof Refusal) return undefined
    throw error
  })
  if (crawlId === undefined) return 0
  try {
    // Under the lease, so that nobody replaces it meanwhile.
    const old = await house.db.one(sql.findToRefresh, { tenantId, seconds })
    if (old === undefined) return 0
    const { siteUrl, feedUrl } = old
    const reading = await crawls.read({ siteUrl, feedUrl, tenantId, limits: tenantLimits(house.settings), signal })
    // A process that stops has read a part of the site alone.
    if (signal.aborted) return 0
    const values = 'fault' in reading ? null : await valuesOf(house.settings, { siteUrl, feedUrl }, reading)
    const pages = values?.pages ?? null
    const outcome = values === null || values.chunks === 0 ? 'failed' : hasLostMuch(old, values) ? 'kept' : 'replaced'
    if (values !== null && outcome === 'replaced')
      await house.db.one(sql.storePreview, { tenantId, crawlId, ...values, outcome, refreshPages: pages })
    else await house.db.run(sql.noteRefresh, { tenantId, crawlId, outcome, pages })
    return 1
  } catch (error) {
    // Recorded, so that the next sweep does not try again. A database that is away records nothing.
    if (!signal.aborted && !isUnavailable(error))
      await house.db.run(sql.noteRefresh, { tenantId, crawlId, outcome: 'failed', pages: null })
    throw error
  } finally {
    await house.db.run(sql.endCrawl, { tenantId, crawlId })
  }
}

/** A site that lost more than half of what it had is more likely broken than small. */
const hasLostMuch = (old: sql.PreviewRow, { pages }: sql.PreviewValues): boolean => pages * 2 < old.pages
