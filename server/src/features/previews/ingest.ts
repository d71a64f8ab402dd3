import { refuse } from '../../foundation/http/index.ts'
import { newUuid } from '../../foundation/ids/index.ts'
import type { SiteFault, SiteReading } from '../../foundation/sites/index.ts'
import type { Context, House } from '../../ground/context/index.ts'
import { tenantOf } from '../../ground/tenants/index.ts'
import { readAddresses, refusePrivate } from './address.ts'
import { packReading } from './content.ts'
import { type Address, tenantLimits } from './crawls.ts'
import * as sql from './queries.ts'
import type { PreviewRooms } from './rooms.ts'

type IngestInput = { readonly siteUrl: string; readonly feedUrl?: string | null | undefined }

// For packing and storing what was read, on a machine that has much else to do.
const SLACK_SECONDS = 30

/** Reads the site of a workspace and replaces what was read before. A crawl that reads nothing leaves that as it is. */
export async function ingestPreview(ctx: Context, { crawls }: Pick<PreviewRooms, 'crawls'>, input: IngestInput) {
  mustBeEnabled(ctx)
  const { tenantId } = ctx.asking
  const address = readAddresses(ctx.settings, input)
  // A name that leads nowhere is told apart from one that must not be asked by the crawl itself.
  await refusePrivate(ctx, address, refuse, { unresolved: false })
  const crawlId = await beginCrawl(ctx, tenantId)
  try {
    const reading = await crawls.read({ ...address, tenantId, limits: tenantLimits(ctx.settings) })
    if ('fault' in reading) throw refusalOf(reading)
    const values = await valuesOf(ctx.settings, address, reading)
    if (values.chunks === 0) throw refusalOf(NOTHING)
    const stored = await ctx.db.one(sql.storePreview, {
      tenantId,
      crawlId,
      ...values,
      outcome: null,
      refreshPages: null,
    })
    if (stored === undefined) throw inProgress()
    return { ingested: true as const, ...shown(values) }
  } finally {
    await ctx.db.run(sql.endCrawl, { tenantId, crawlId })
  }
}

/** Takes the one crawl of the tenant, in whichever process it runs. */
export async function beginCrawl(ctx: Pick<House, 'db' | 'settings' | 'clock'>, tenantId: number): Promise<string> {
  const crawlId = newUuid(ctx.clock.now())
  const seconds = ctx.settings.preview.timeoutSeconds + SLACK_SECONDS
  if ((await ctx.db.one(sql.claimCrawl, { tenantId, crawlId, seconds })) !== undefined) return crawlId
  await tenantOf(ctx, tenantId)
  throw inProgress()
}

const inProgress = () =>
  refuse('preview_in_progress', 'The site of this workspace is being read. Wait until it has been, then send it again.')

const NOTHING: SiteFault = {
  fault: 'preview_empty',
  message: 'Nothing readable was found at that address. Check it in a browser without scripts.',
}

const refusalOf = ({ fault, reason, message }: SiteFault) =>
  refuse(fault, message, reason === undefined ? {} : { reason })

/** A reading as it is kept. */
export async function valuesOf(
  { preview }: Pick<House['settings'], 'preview'>,
  { siteUrl, feedUrl }: Address,
  reading: SiteReading,
): Promise<sql.PreviewValues> {
  const { site, name, topics, brand, pages, feedItems, items, pagesRefusedByRobots, stoppedAtPageLimit } = reading
  return {
    siteUrl,
    feedUrl,
    site,
    name,
    color: brand.color,
    logo: brand.logoUrl,
    topics,
    pages: pages.filter(({ isFeed }) => !isFeed).length,
    feedItems,
    items: items.length,
    refusedByRobots: pagesRefusedByRobots,
    stoppedAtPageLimit,
    ...(await packReading(reading, preview)),
  }
}

export const brandOf = ({ color, logo }: Pick<sql.PreviewValues, 'color' | 'logo'>) =>
  color === null && logo === null ? null : { color, logo }

type Counted = Omit<sql.PreviewValues, 'content' | 'segment' | 'siteUrl' | 'feedUrl' | 'topics'>

export const shown = (values: Counted) => ({
  site: values.site,
  name: values.name,
  brand: brandOf(values),
  pages: values.pages,
  feedItems: values.feedItems,
  items: values.items,
  chunks: values.chunks,
  pagesRefusedByRobots: values.refusedByRobots,
  stoppedAtPageLimit: values.stoppedAtPageLimit,
})

export function mustBeEnabled({ settings }: Pick<Context, 'settings'>): void {
  if (settings.preview.enabled) return
  throw refuse('preview_disabled', 'Previews are turned off on this deployment. Ask its operator.')
}
