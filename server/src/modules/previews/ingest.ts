import { refuse } from '../../kernel/http/index.ts'
import { newUuid } from '../../kernel/ids/index.ts'
import type { Context, House } from '../../tenancy/context/index.ts'
import { tenantOf } from '../../tenancy/tenants/index.ts'
import { readAddresses, refusePrivate } from './address.ts'
import { packReading } from './content.ts'
import type { SiteFault, SiteReading } from './crawl/index.ts'
import { type Address, tenantLimits } from './crawls.ts'
import { tellProgress } from './progress.ts'
import * as sql from './queries.ts'
import type { PreviewRooms } from './rooms.ts'

type IngestInput = { readonly siteUrl: string; readonly feedUrl?: string | null | undefined }

// For packing and storing what was read, on a machine that has much else to do.
const SLACK_SECONDS = 30

/** Reads the site of a workspace and replaces what was read before. A crawl that reads nothing leaves that as it is. */
export async function ingestPreview(ctx: Context, rooms: Pick<PreviewRooms, 'crawls'>, input: IngestInput) {
  const begun = await begin(ctx, input)
  const read = await crawl(ctx, rooms, begun)
  if ('fault' in read) throw refusalOf(read)
  return { ingested: true as const, ...shown(read) }
}

/** The same in the background: how far it is, and why it failed, is told by `readProgress`. */
export async function startPreview(ctx: Context, rooms: Pick<PreviewRooms, 'crawls'>, input: IngestInput) {
  const begun = await begin(ctx, input)
  rooms.crawls.inBackground(async (signal) => {
    await crawl(ctx, rooms, { ...begun, signal })
  })
  return { siteUrl: begun.address.siteUrl }
}

type Begun = { readonly address: Address; readonly crawlId: string; readonly signal?: AbortSignal }

async function begin(ctx: Context, input: IngestInput): Promise<Begun> {
  mustBeEnabled(ctx)
  const address = readAddresses(ctx.settings, input)
  // A name that leads nowhere is told apart from one that must not be asked by the crawl itself.
  await refusePrivate(ctx, address, refuse, { unresolved: false })
  return { address, crawlId: await beginCrawl(ctx, ctx.asking.tenantId, address.siteUrl) }
}

const OURS = 'Something failed on our side. Start it again.'

/** Whatever happens, the crawl ends: what it read is stored, or why it read nothing. */
async function crawl(ctx: Context, { crawls }: Pick<PreviewRooms, 'crawls'>, { address, crawlId, signal }: Begun) {
  const { tenantId } = ctx.asking
  const fail = ({ message: fault, reason = null }: { message: string; reason?: string | null }) =>
    ctx.db.run(sql.failCrawl, { tenantId, crawlId, fault, reason })
  const progress = tellProgress(ctx, tenantId, ({ pages, bytes, refused }) =>
    ctx.db.run(sql.noteCrawl, { tenantId, crawlId, pages, bytes, refused }),
  )
  try {
    const limits = tenantLimits(ctx.settings)
    const reading = await crawls.read({ ...address, tenantId, limits, onProgress: progress.note })
    await progress.settled()
    const values = 'fault' in reading ? reading : await valuesOf(ctx.settings, address, reading)
    // A process that stops has read a part of the site alone.
    const read = signal?.aborted === true ? STOPPED : 'chunks' in values && values.chunks === 0 ? NOTHING : values
    if ('fault' in read) {
      await fail(read)
      return read
    }
    const stored = await ctx.db.one(sql.storePreview, { tenantId, crawlId, ...read, outcome: null, refreshPages: null })
    if (stored === undefined) throw inProgress()
    return read
  } catch (error) {
    await fail({ message: OURS })
    throw error
  }
}

const STOPPED: SiteFault = {
  fault: 'preview_empty',
  message: 'The reading ended because the service was stopped. Start it again.',
}

/** Takes the one crawl of the tenant, in whichever process it runs. */
export async function beginCrawl(
  ctx: Pick<House, 'db' | 'settings' | 'clock'>,
  tenantId: number,
  siteUrl: string | null = null,
): Promise<string> {
  const crawlId = newUuid(ctx.clock.now())
  const seconds = ctx.settings.preview.timeoutSeconds + SLACK_SECONDS
  if ((await ctx.db.one(sql.claimCrawl, { tenantId, crawlId, seconds, siteUrl })) !== undefined) return crawlId
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
