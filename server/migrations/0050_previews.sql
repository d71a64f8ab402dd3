-- What was read of a business's public website, for its assistant to answer from. One row holds a whole reading, so that whoever
-- answers sees one of them or the next, never a part of each.
create table previews (
  tenant_id integer primary key,
  -- What was asked for, to be read again.
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
  -- As JSON: one text of everything that was read, whose each page and item is, and where each chunk begins and ends.
  content text not null,
  -- The packed index of the chunks.
  segment bytea not null,
  version integer not null,
  crawled_at timestamptz not null default now(),
  -- The last look of the regular work, and what came of it.
  refreshed_at timestamptz,
  refresh_outcome text check (refresh_outcome in ('replaced', 'kept', 'failed')),
  refresh_pages integer
);
create index previews_to_refresh on previews (greatest(crawled_at, refreshed_at));

-- One crawl of a tenant at a time, in whichever process. A lease that has lapsed was of one that died.
create table preview_crawls (
  tenant_id integer primary key,
  crawl_id uuid not null,
  lease_until timestamptz not null
);

-- Counts the changes of a tenant's preview. It is read with every credential, as the version of its documents is.
alter table tenants add column preview_version integer not null default 0;
