-- Crawls of tenants' public websites, and sandboxes in which visitors try an assistant on a site.

-- One row holds a whole crawl, so that an answer uses one crawl or the next, never parts of both.
create table previews (
  tenant_id integer primary key,
  -- The addresses to crawl again.
  site_url text not null,
  feed_url text,
  site text not null,
  name text,
  brand_color text,
  brand_logo text,
  topics text[] not null,
  pages integer not null,
  feed_items integer not null,
  items integer not null,
  chunks integer not null,
  refused_by_robots integer not null,
  stopped_at_page_limit boolean not null,
  -- As JSON: one text of all pages and items, where each begins and ends, and the same for chunks.
  content text not null,
  -- The packed index of the chunks.
  segment bytea not null,
  version integer not null,
  crawled_at timestamptz not null default now(),
  -- The last crawl by the background job, and its outcome.
  refreshed_at timestamptz,
  refresh_outcome text check (refresh_outcome in ('replaced', 'kept', 'failed')),
  refresh_pages integer
);
create index previews_to_refresh on previews (greatest(crawled_at, refreshed_at));

-- The crawl of a tenant, one at a time across processes, with its progress. After a failure the row keeps the reason. A row without
-- `ended_at` is a running crawl or, once its lease has expired, one whose process died.
create table preview_crawls (
  tenant_id integer primary key,
  crawl_id uuid not null,
  lease_until timestamptz not null,
  site_url text,
  began_at timestamptz not null default now(),
  pages integer not null default 0,
  bytes bigint not null default 0,
  refused integer not null default 0,
  ended_at timestamptz,
  fault text,
  fault_reason text
);

create table sandboxes (
  tenant_id integer primary key,
  state text not null check (state in ('crawling', 'ready', 'empty', 'failed')),
  site text not null,
  error text,
  error_code text check (error_code in ('site_challenged', 'unreachable', 'robots_refused', 'too_slow')),
  -- The progress of its crawl. The result is in its preview.
  pages_read integer not null default 0,
  bytes_read bigint not null default 0,
  pages_refused integer not null default 0,
  crawl_until timestamptz not null,
  -- A raster image of at most 256 KiB, so that the page that shows it requests no other host.
  logo bytea,
  logo_type text,
  turns_used integer not null default 0,
  -- The newest claim that waits for its mailed link, and the number of claims.
  claim_id uuid,
  claims integer not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  claimed_at timestamptz,
  -- Since when only this row is left of it.
  emptied_at timestamptz
);
create index sandboxes_by_end on sandboxes (expires_at);

-- Counts sandboxes across tenants, by salted hashes only. It outlives them.
create table sandbox_tally (
  entry_id bigint generated always as identity primary key,
  hash text not null,
  at timestamptz not null default now()
);
create index sandbox_tally_by_hash on sandbox_tally (hash, at);
create index sandbox_tally_by_time on sandbox_tally (at);
