import { saltedHash } from '../../../kernel/crypto/index.ts'
import type { Queries } from '../../../kernel/db/index.ts'
import { refuse } from '../../../kernel/http/index.ts'
import { newUuid } from '../../../kernel/ids/index.ts'
import { addressBucket } from '../../../tenancy/access/index.ts'
import type { AnyoneAsking, Context, House } from '../../../tenancy/context/index.ts'
import { type CreatedSandbox, createSandbox } from '../../../tenancy/tenants/index.ts'
import { readAddresses, refusePrivate } from '../address.ts'
import { type Address, sandboxLimits } from '../crawls.ts'
import { claimCrawl } from '../queries.ts'
import type { PreviewRooms } from '../rooms.ts'
import { crawlSandbox } from './crawl.ts'
import * as sql from './queries.ts'

type Anyone = Context<AnyoneAsking>
type OpenInput = { readonly siteUrl: string; readonly feedUrl?: string | null | undefined }

/** How long an ended sandbox still says that it has ended. */
export const GRACE_SECONDS = 24 * 3600
// For packing and storing what was read.
const SLACK_SECONDS = 30

const NOTICE =
  'This is a preview of what the public website says. The assistant sees no orders, stock or accounts, and takes no action. Everything is deleted when the sandbox ends, unless you keep it as a workspace.'

/** Opens a sandbox for a stranger. Its site is read in the background. */
export async function openSandbox(ctx: Anyone, { crawls }: Pick<PreviewRooms, 'crawls'>, input: OpenInput) {
  const { settings } = ctx
  mustBeOpen(settings)
  const address = readAddresses(settings, input)
  const giveBack = crawls.takePlace()
  if (giveBack === undefined) {
    const message = 'As many sites as possible are being read. Try again in a few seconds.'
    throw refuse('sandbox_busy', message, {}, { 'retry-after': '5' })
  }
  let isCrawling = false
  try {
    const words = 'Nothing was created. Send the address of a site on the public internet.'
    await refusePrivate(ctx, address, (_, why) => refuse('site_refused', `${why} ${words}`), { unresolved: true })
    const made = await create(ctx, address)
    isCrawling = true
    crawls.inBackground(async (signal) => {
      await crawlSandbox(ctx, crawls, { ...made, address, signal }).finally(giveBack)
    })
    return { tenantId: made.tenantId, opened: answerOf(settings, address, made) }
  } finally {
    if (!isCrawling) giveBack()
  }
}

export function mustBeOpen({ previewSandbox }: House['settings']): void {
  if (!previewSandbox.enabled)
    throw refuse('sandbox_disabled', 'Sandboxes are turned off on this deployment. Ask its operator.')
  if (previewSandbox.ipHashSalt === '') {
    const message = 'Sandboxes are not fully set up on this deployment. Ask its operator.'
    throw refuse('sandbox_unavailable', message, { reason: 'misconfigured' })
  }
}

type Made = CreatedSandbox & { readonly crawlId: string; readonly expiresAt: Date }

async function create(ctx: Anyone, { siteUrl }: Address): Promise<Made> {
  const { previewSandbox } = ctx.settings
  const hash = saltedHash(previewSandbox.ipHashSalt, 'ip', addressBucket(ctx.asking.address))
  // Most refusals need no lock.
  await refuseBeyondLimits(ctx.db, ctx.settings, hash)
  const lifeSeconds = previewSandbox.lifetimeMinutes * 60
  const crawlSeconds = previewSandbox.crawlSeconds + SLACK_SECONDS
  return await ctx.db.transaction(async (tx) => {
    await tx.rows(sql.lockOpening)
    await refuseBeyondLimits(tx, ctx.settings, hash)
    await tx.run(sql.noteOpening, { hash })
    const site = new URL(siteUrl)
    const made = await createSandbox(tx, ctx, site.host.slice(0, 120), lifeSeconds + GRACE_SECONDS)
    const { tenantId } = made
    const row = await tx.one(sql.insertSandbox, { tenantId, site: site.origin, lifeSeconds, crawlSeconds })
    const crawlId = newUuid(ctx.clock.now())
    const claimed = await tx.one(claimCrawl, { tenantId, crawlId, seconds: crawlSeconds, siteUrl: null })
    if (row === undefined || claimed === undefined) throw new Error('The sandbox was not written.')
    return { ...made, crawlId, expiresAt: row.expiresAt }
  })
}

const HOUR = 3_600

/** Refuses a sandbox beyond a limit. Only a call under the lock is final. */
async function refuseBeyondLimits(db: Queries, { previewSandbox }: House['settings'], hash: string): Promise<void> {
  const { maxGlobalPerHour: mostInAll, maxPerAddressPerDay: mostOfCaller } = previewSandbox
  const waits = await db.one(sql.openingWaits, { hash, mostInAll, mostOfCaller })
  if (waits === undefined) throw new Error('The count returned no row.')
  const day = mostOfCaller === 0 ? 24 * HOUR : waits.caller
  const hour = mostInAll === 0 ? HOUR : waits.hour
  if (day !== null) throw beyond(`One network address can open ${mostOfCaller} sandboxes in 24 hours`, day)
  if (hour !== null) throw beyond(`This deployment opens ${mostInAll} sandboxes in an hour`, hour)
}

function beyond(limit: string, seconds: number) {
  const retryAfter = Math.max(1, seconds)
  const minutes = Math.ceil(retryAfter / 60)
  const when = minutes <= 90 ? `${minutes} minute${minutes === 1 ? '' : 's'}` : `${Math.ceil(minutes / 60)} hours`
  const message = `${limit}, and that limit has been reached. Try again in ${when}.`
  return refuse('rate_limited', message, {}, { 'retry-after': String(retryAfter) })
}

function answerOf(settings: House['settings'], { siteUrl }: Address, { key, prefix, expiresAt }: Made) {
  const { pages, totalBytes, timeoutMs } = sandboxLimits(settings)
  const { lifetimeMinutes, maxTurnsPerSandbox } = settings.previewSandbox
  return {
    sandboxKey: key,
    keyPrefix: prefix,
    state: 'crawling' as const,
    site: new URL(siteUrl).origin,
    expiresAt: expiresAt.toISOString(),
    limits: { pages, bytes: totalBytes, seconds: timeoutMs / 1000, lifetimeMinutes, turns: maxTurnsPerSandbox },
    notice: NOTICE,
  }
}
