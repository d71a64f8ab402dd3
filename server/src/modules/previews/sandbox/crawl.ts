// Reads the site of a sandbox after its request was answered. Whatever happens, the sandbox ends in one state or another.

import type { House } from '../../../tenancy/context/index.ts'
import type { SiteFault, SiteReading } from '../crawl/index.ts'
import { type Address, type Crawls, sandboxLimits } from '../crawls.ts'
import { valuesOf } from '../ingest.ts'
import { tellProgress } from '../progress.ts'
import { endCrawl, storePreview } from '../queries.ts'
import { fetchLogo } from './logo.ts'
import * as sql from './queries.ts'

type Crawl = {
  readonly tenantId: number
  readonly crawlId: string
  readonly address: Address
  readonly signal: AbortSignal
}

export async function crawlSandbox(house: House, crawls: Crawls, crawl: Crawl): Promise<void> {
  const { tenantId, crawlId, address, signal } = crawl
  const progress = tellProgress(house, tenantId, ({ pages, bytes, refused }) =>
    house.db.run(sql.noteProgress, { tenantId, pages, bytes, refused }),
  )
  try {
    const limits = sandboxLimits(house.settings)
    const reading = await crawls.read({ ...address, tenantId, limits, signal, onProgress: progress.note })
    await progress.settled()
    if ('fault' in reading) await settleFault(house, tenantId, reading)
    else await settleReading(house, crawl, reading)
  } catch (error) {
    house.log.error({ error, tenantId }, 'The site of a sandbox could not be read because of a failure of ours.')
    await house.db.run(sql.settleCrawl, { tenantId, state: 'failed', ...NOTHING_MORE, error: OURS, errorCode: null })
  } finally {
    await house.db.run(endCrawl, { tenantId, crawlId })
  }
}

const OURS = 'Something failed on our side. Open another sandbox.'
const NOTHING_MORE = { site: null, pages: 0, bytes: null, refused: null, logo: null, logoType: null }

/** A fault without a reason is a site that answered and had nothing to read. */
async function settleFault({ db }: House, tenantId: number, { fault, reason, message }: SiteFault): Promise<void> {
  const errorCode = reason ?? (fault === 'preview_empty' ? null : 'unreachable')
  const state = errorCode === null ? 'empty' : 'failed'
  await db.run(sql.settleCrawl, { tenantId, state, ...NOTHING_MORE, error: message, errorCode })
}

async function settleReading(house: House, { tenantId, crawlId, address }: Crawl, reading: SiteReading): Promise<void> {
  const values = await valuesOf(house.settings, address, reading)
  const read = { site: values.site, pages: values.pages, bytes: reading.bytes, refused: values.refusedByRobots }
  if (values.chunks === 0) {
    const error = 'Nothing readable was found at that address. Check it in a browser without scripts.'
    await house.db.run(sql.settleCrawl, { tenantId, state: 'empty', ...NOTHING_MORE, ...read, error, errorCode: null })
    return
  }
  const logo = values.logo === null ? null : await fetchLogo(house, tenantId, values.logo)
  await house.db.transaction(async (tx) => {
    const settled = await tx.one(sql.settleCrawl, {
      tenantId,
      state: 'ready',
      ...read,
      error: null,
      errorCode: null,
      logo: logo?.bytes ?? null,
      logoType: logo?.type ?? null,
    })
    // Its life ended while its site was read.
    if (settled === undefined) return
    await tx.one(storePreview, { tenantId, crawlId, ...values, outcome: null, refreshPages: null })
  })
}
