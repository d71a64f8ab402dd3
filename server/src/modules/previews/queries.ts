import type { REFRESH_OUTCOMES } from '@tether/contract'
import { statement } from '../../kernel/db/index.ts'
import { SWEEP } from '../../tenancy/jobs/index.ts'

/** Takes the one crawl of a tenant, unless another one runs. Returns no row if it does, or if the tenant is gone. */
export const claimCrawl = statement<
  { tenantId: number },
  { tenantId: number; crawlId: string; seconds: number; siteUrl: string | null }
>(
  'previews.claim_crawl',
  `with living as (
     select tenant_id from tenants where tenant_id = $tenantId::int and deleted_at is null for key share
   )
   insert into preview_crawls as c (tenant_id, crawl_id, lease_until, site_url)
   select tenant_id, $crawlId::uuid, now() + make_interval(secs => $seconds::float8), $siteUrl::text from living
   on conflict (tenant_id) do update
      set crawl_id = excluded.crawl_id, lease_until = excluded.lease_until, site_url = excluded.site_url,
          began_at = excluded.began_at, pages = 0, bytes = 0, refused = 0, ended_at = null, fault = null, fault_reason = null
    where c.lease_until < excluded.began_at or c.ended_at is not null
   returning c.tenant_id as "tenantId"`,
)

export const endCrawl = statement<unknown, { tenantId: number; crawlId: string }>(
  'previews.end_crawl',
  'delete from preview_crawls where tenant_id = $tenantId::int and crawl_id = $crawlId::uuid',
)

export const noteCrawl = statement<
  unknown,
  { tenantId: number; crawlId: string; pages: number; bytes: number; refused: number }
>(
  'previews.note_crawl',
  `update preview_crawls set pages = $pages::int, bytes = $bytes::bigint, refused = $refused::int
    where tenant_id = $tenantId::int and crawl_id = $crawlId::uuid and ended_at is null`,
)

/** Ends a crawl that brought nothing, and keeps why until the next one begins. */
export const failCrawl = statement<
  unknown,
  { tenantId: number; crawlId: string; fault: string; reason: string | null }
>(
  'previews.fail_crawl',
  `update preview_crawls set ended_at = now(), fault = $fault::text, fault_reason = $reason::text
    where tenant_id = $tenantId::int and crawl_id = $crawlId::uuid`,
)

export const findCrawl = statement<
  {
    siteUrl: string | null
    pages: number
    bytes: number
    refused: number
    seconds: number
    endedAt: Date | null
    /** When the lease of one that nobody ended ran out. */
    lapsedAt: Date | null
    fault: string | null
    reason: string | null
  },
  { tenantId: number }
>(
  'previews.find_crawl',
  `select site_url as "siteUrl", pages, bytes::float8 as bytes, refused,
          extract(epoch from coalesce(ended_at, now()) - began_at)::float8 as seconds, ended_at as "endedAt",
          case when ended_at is null and lease_until < now() then lease_until end as "lapsedAt", fault, fault_reason as reason
     from preview_crawls where tenant_id = $tenantId::int`,
)

/** A whole reading, in the form in which it is kept. */
export type PreviewValues = {
  siteUrl: string
  feedUrl: string | null
  site: string
  name: string | null
  color: string | null
  logo: string | null
  topics: readonly string[]
  pages: number
  feedItems: number
  items: number
  chunks: number
  refusedByRobots: number
  stoppedAtPageLimit: boolean
  content: string
  segment: Uint8Array
}

/**
 * Ends the crawl and replaces what was read before. A crawl that lost its lease stores nothing, because another one has begun.
 * A workspace that never chose a brand gets that of its site.
 */
export const storePreview = statement<
  { crawledAt: Date },
  PreviewValues & {
    tenantId: number
    crawlId: string
    outcome: (typeof REFRESH_OUTCOMES)[number] | null
    refreshPages: number | null
  }
>(
  'previews.store',
  `with ended as (
     delete from preview_crawls where tenant_id = $tenantId::int and crawl_id = $crawlId::uuid returning tenant_id
   ), counted as (
     update tenants t
        set preview_version = t.preview_version + 1,
            brand_color = case when t.brand_color is null and t.brand_logo is null then $color::text else t.brand_color end,
            brand_logo = case when t.brand_color is null and t.brand_logo is null then $logo::text else t.brand_logo end
       from ended e
      where t.tenant_id = $tenantId::int and t.tenant_id = e.tenant_id and t.deleted_at is null
     returning t.tenant_id, t.preview_version
   )
   insert into previews (tenant_id, site_url, feed_url, site, name, brand_color, brand_logo, topics, pages, feed_items, items,
                         chunks, refused_by_robots, stopped_at_page_limit, content, segment, version, crawled_at,
                         refreshed_at, refresh_outcome, refresh_pages)
   select tenant_id, $siteUrl::text, $feedUrl::text, $site::text, $name::text, $color::text, $logo::text, $topics::text[],
          $pages::int, $feedItems::int, $items::int, $chunks::int, $refusedByRobots::int, $stoppedAtPageLimit::boolean,
          $content::text, $segment::bytea, preview_version, now(), case when $outcome::text is not null then now() end,
          $outcome::text, $refreshPages::int
     from counted
   on conflict (tenant_id) do update
      set site_url = excluded.site_url, feed_url = excluded.feed_url, site = excluded.site, name = excluded.name,
          brand_color = excluded.brand_color, brand_logo = excluded.brand_logo, topics = excluded.topics,
          pages = excluded.pages, feed_items = excluded.feed_items, items = excluded.items, chunks = excluded.chunks,
          refused_by_robots = excluded.refused_by_robots, stopped_at_page_limit = excluded.stopped_at_page_limit,
          content = excluded.content, segment = excluded.segment, version = excluded.version, crawled_at = excluded.crawled_at,
          refreshed_at = excluded.refreshed_at, refresh_outcome = excluded.refresh_outcome,
          refresh_pages = excluded.refresh_pages
   returning crawled_at as "crawledAt"`,
  { guest: { tenants: '`tenants` counts the changes, and takes the brand of the site where it has none' } },
)

export type PreviewRow = Omit<PreviewValues, 'content' | 'segment'> & {
  crawledAt: Date
  refreshedAt: Date | null
  refreshOutcome: (typeof REFRESH_OUTCOMES)[number] | null
  refreshPages: number | null
}
const columns = `site_url as "siteUrl", feed_url as "feedUrl", site, name, brand_color as color, brand_logo as logo, topics, pages,
          feed_items as "feedItems", items, chunks, refused_by_robots as "refusedByRobots",
          stopped_at_page_limit as "stoppedAtPageLimit"`

export const readPreview = statement<PreviewRow, { tenantId: number }>(
  'previews.read',
  `select ${columns}, crawled_at as "crawledAt", refreshed_at as "refreshedAt", refresh_outcome as "refreshOutcome",
          refresh_pages as "refreshPages"
     from previews where tenant_id = $tenantId::int`,
)

/** One statement counts the change and makes it. A crawl that runs still stores what it reads: that came later. */
export const deletePreview = statement<{ tenantId: number }, { tenantId: number }>(
  'previews.delete',
  `with failed as (
     delete from preview_crawls where tenant_id = $tenantId::int and ended_at is not null
   ), gone as (
     delete from previews where tenant_id = $tenantId::int returning tenant_id
   )
   update tenants t set preview_version = t.preview_version + 1 from gone g
    where t.tenant_id = $tenantId::int and t.tenant_id = g.tenant_id and t.deleted_at is null
   returning t.tenant_id as "tenantId"`,
  { guest: { tenants: '`tenants` counts the changes, and takes the brand of the site where it has none' } },
)

/** What a process keeps in memory of a preview. */
export const readContent = statement<{ content: string; segment: Buffer }, { tenantId: number }>(
  'previews.read_content',
  'select content, segment from previews where tenant_id = $tenantId::int',
)

/** Takes a preview out of the tenant that it was read for, to be kept by another one. */
export const takePreview = statement<PreviewValues, { tenantId: number }>(
  'previews.take',
  `delete from previews where tenant_id = $tenantId::int returning ${columns}, content, segment`,
)

const IS_DUE = `greatest(crawled_at, refreshed_at) < now() - make_interval(secs => $seconds::float8)`

export const listToRefresh = statement<
  { tenantId: number; id: string },
  { passedOver: readonly number[]; limit: number; seconds: number }
>(
  'previews.list_to_refresh',
  `select tenant_id as "tenantId", site as id from previews
    where ${IS_DUE} and tenant_id <> all ($passedOver::int[])
      -- A sandbox lives for an hour, and is read once.
      and not exists (select 1 from sandboxes s where s.tenant_id = previews.tenant_id)
    order by greatest(crawled_at, refreshed_at)
    limit $limit::int`,
  { looks: SWEEP },
)

export const findToRefresh = statement<PreviewRow, { tenantId: number; seconds: number }>(
  'previews.find_to_refresh',
  `select ${columns}, crawled_at as "crawledAt", refreshed_at as "refreshedAt", refresh_outcome as "refreshOutcome",
          refresh_pages as "refreshPages"
     from previews where tenant_id = $tenantId::int and ${IS_DUE}`,
)

/** What was held stays, and says why. */
export const noteRefresh = statement<
  unknown,
  { tenantId: number; crawlId: string; outcome: (typeof REFRESH_OUTCOMES)[number]; pages: number | null }
>(
  'previews.note_refresh',
  `with ended as (
     delete from preview_crawls where tenant_id = $tenantId::int and crawl_id = $crawlId::uuid returning tenant_id
   )
   update previews p set refreshed_at = now(), refresh_outcome = $outcome::text, refresh_pages = $pages::int
     from ended e where p.tenant_id = $tenantId::int and p.tenant_id = e.tenant_id`,
)
