import type { SiteFaultCode } from '@tether/contract'
import { statement } from '../../../kernel/db/index.ts'
import { dueRows, SWEEP, type SweepFound, type SweepLook } from '../../../tenancy/jobs/index.ts'

/** Sandboxes are opened one after the other across all processes, because limits are counted under this lock. */
export const lockOpening = statement<unknown>(
  'previews.lock_opening',
  'select pg_advisory_xact_lock(7303014554::bigint)',
)

// A limit of N is reached while the Nth newest row is within its window, and it ends when that row leaves.
const wait = (window: string) => `ceil(extract(epoch from at + interval '${window}' - now()))::int`

/** How many seconds each limit on new sandboxes still lasts; null where it is not reached. */
export const openingWaits = statement<
  { hour: number | null; caller: number | null },
  { hash: string; mostInAll: number; mostOfCaller: number }
>(
  'previews.opening_waits',
  `select (select ${wait('1 hour')} from sandbox_tally where at > now() - interval '1 hour'
            order by at desc offset greatest($mostInAll::int, 1) - 1 limit 1) as hour,
          (select ${wait('24 hours')} from sandbox_tally
            where hash = $hash::text and at > now() - interval '24 hours'
            order by at desc offset greatest($mostOfCaller::int, 1) - 1 limit 1) as caller`,
)

export const noteOpening = statement<unknown, { hash: string }>(
  'previews.note_opening',
  'insert into sandbox_tally (hash) values ($hash::text)',
)

export const forgetOpenings = statement<unknown>(
  'previews.forget_openings',
  `delete from sandbox_tally where at < now() - interval '2 days'`,
)

export const insertSandbox = statement<
  { expiresAt: Date },
  { tenantId: number; site: string; lifeSeconds: number; crawlSeconds: number }
>(
  'previews.insert_sandbox',
  `insert into sandboxes (tenant_id, state, site, crawl_until, expires_at)
   values ($tenantId::int, 'crawling', $site::text, now() + make_interval(secs => $crawlSeconds::float8),
           now() + make_interval(secs => $lifeSeconds::float8))
   returning expires_at as "expiresAt"`,
)

/** A number that came late changes nothing. */
export const noteProgress = statement<unknown, { tenantId: number; pages: number; bytes: number; refused: number }>(
  'previews.note_progress',
  `update sandboxes
      set pages_read = greatest(pages_read, $pages::int), bytes_read = greatest(bytes_read, $bytes::bigint),
          pages_refused = greatest(pages_refused, $refused::int)
    where tenant_id = $tenantId::int and state = 'crawling'`,
)

/** Ends the crawl of a sandbox, unless its life ended first. */
export const settleCrawl = statement<
  { tenantId: number },
  {
    tenantId: number
    state: 'ready' | 'empty' | 'failed'
    site: string | null
    pages: number
    bytes: number | null
    refused: number | null
    error: string | null
    errorCode: SiteFaultCode | null
    logo: Buffer | null
    logoType: string | null
  }
>(
  'previews.settle_crawl',
  `update sandboxes
      set state = $state::text, site = coalesce($site::text, site), pages_read = greatest(pages_read, $pages::int),
          bytes_read = coalesce($bytes::bigint, bytes_read), pages_refused = coalesce($refused::int, pages_refused),
          error = $error::text, error_code = $errorCode::text, logo = $logo::bytea, logo_type = $logoType::text
    where tenant_id = $tenantId::int and state = 'crawling' and expires_at > now() and emptied_at is null
   returning tenant_id as "tenantId"`,
)

export type SandboxRow = {
  /** As it was written. A crawl that lapsed, and a life that ended, are told beside it. */
  state: 'crawling' | 'ready' | 'empty' | 'failed'
  isOver: boolean
  isLapsed: boolean
  site: string
  error: string | null
  errorCode: SiteFaultCode | null
  pagesRead: number
  bytesRead: number
  pagesRefused: number
  /** Since its crawl began. */
  seconds: number
  turnsUsed: number
  createdAt: Date
  expiresAt: Date
  logoType: string | null
  claimId: string | null
  /** Null until its preview is there. */
  chunks: number | null
  topics: string[] | null
  name: string | null
  items: number | null
  color: string | null
  logo: string | null
}

export const readSandbox = statement<SandboxRow, { tenantId: number }>(
  'previews.read_sandbox',
  `select s.state, s.expires_at <= now() or s.claimed_at is not null as "isOver",
          s.state = 'crawling' and s.crawl_until < now() as "isLapsed", s.site, s.error, s.error_code as "errorCode",
          s.pages_read as "pagesRead", s.bytes_read::float8 as "bytesRead", s.pages_refused as "pagesRefused",
          extract(epoch from now() - s.created_at)::float8 as seconds, s.turns_used as "turnsUsed", s.created_at as "createdAt",
          s.expires_at as "expiresAt", s.logo_type as "logoType", s.claim_id as "claimId", p.chunks, p.topics, p.name, p.items,
          p.brand_color as color, p.brand_logo as logo
     from sandboxes s left join previews p on p.tenant_id = $tenantId::int and p.tenant_id = s.tenant_id
    where s.tenant_id = $tenantId::int`,
)

export const readLogo = statement<{ logo: Buffer; logoType: string }, { tenantId: number }>(
  'previews.read_logo',
  `select logo, logo_type as "logoType" from sandboxes
    where tenant_id = $tenantId::int and logo is not null and expires_at > now() and claimed_at is null`,
)

/** Takes one question of those that a sandbox may be asked. Returns no row if it may not. */
export const takeQuestion = statement<{ used: number }, { tenantId: number; most: number }>(
  'previews.take_question',
  `update sandboxes set turns_used = turns_used + 1
    where tenant_id = $tenantId::int and state = 'ready' and expires_at > now() and claimed_at is null
      and turns_used < $most::int
   returning turns_used as used`,
)

/** The newest claim replaces the one before. It keeps the sandbox, and its key, as long as its link is good. */
export const beginClaim = statement<
  { claimId: string },
  { tenantId: number; claimId: string; until: Date; most: number; graceSeconds: number }
>(
  'previews.begin_claim',
  `with due as (
     select greatest(expires_at, $until::timestamptz) as until,
            greatest(expires_at, $until::timestamptz) + make_interval(secs => $graceSeconds::float8) as key_until
       from sandboxes
      where tenant_id = $tenantId::int and state = 'ready' and expires_at > now() and claimed_at is null
        and claims < $most::int
        for update
   ), claimed as (
     update sandboxes s set claim_id = $claimId::uuid, claims = s.claims + 1, expires_at = d.until
       from due d
      where s.tenant_id = $tenantId::int
     returning s.claim_id
   ), kept as (
     update keys k set expires_at = d.key_until from due d
      where k.tenant_id = $tenantId::int and k.kind = 'sandbox'
   )
   select claim_id as "claimId" from claimed`,
  { guest: { keys: 'the key of a sandbox lives as long as the sandbox' } },
)

/** Ends a sandbox that becomes a workspace: it is kept once, and its key opens nothing any longer. */
export const keepSandbox = statement<{ tenantId: number }, { tenantId: number; claimId: string | null }>(
  'previews.keep_sandbox',
  `with kept as (
     update sandboxes set claimed_at = now(), expires_at = least(expires_at, now()), logo = null
      where tenant_id = $tenantId::int and state = 'ready' and expires_at > now() and claimed_at is null
        and ($claimId::uuid is null or claim_id = $claimId::uuid)
     returning tenant_id
   ), revoked as (
     update keys k set revoked_at = now() from kept
      where k.tenant_id = $tenantId::int and k.tenant_id = kept.tenant_id and k.revoked_at is null
   )
   select tenant_id as "tenantId" from kept`,
  { guest: { keys: 'the key of a sandbox lives as long as the sandbox' } },
)

export const listEnded = statement<SweepFound, SweepLook>(
  'previews.list_ended',
  dueRows({ table: 'sandboxes', id: 'site', due: 'expires_at <= now() and emptied_at is null', order: 'expires_at' }),
  { looks: SWEEP },
)

/** Nothing that was read stays here. Whoever else empties it at the same moment finds no row. */
export const markEmptied = statement<{ tenantId: number }, { tenantId: number }>(
  'previews.mark_emptied',
  `update sandboxes set emptied_at = now(), site = '', error = null, logo = null, logo_type = null
    where tenant_id = $tenantId::int and expires_at <= now() and emptied_at is null
   returning tenant_id as "tenantId"`,
)

export const listForgotten = statement<SweepFound, SweepLook & { graceSeconds: number }>(
  'previews.list_forgotten',
  dueRows({
    table: 'sandboxes',
    id: 'tenant_id::text',
    due: 'expires_at < now() - make_interval(secs => $graceSeconds::float8)',
    order: 'expires_at',
  }),
  { looks: SWEEP },
)
