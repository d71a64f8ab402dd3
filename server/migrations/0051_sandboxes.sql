-- A sandbox is a tenant that nobody owns: a stranger tries the assistant of a site on it, and may keep it as a workspace.
alter table tenants add column sandbox boolean not null default false;
create index tenants_that_are_sandboxes on tenants (tenant_id) where sandbox;

create table sandboxes (
  tenant_id integer primary key,
  state text not null check (state in ('crawling', 'ready', 'empty', 'failed')),
  site text not null,
  error text,
  error_code text check (error_code in ('site_challenged', 'unreachable', 'robots_refused', 'too_slow')),
  -- How far its crawl is; the rest is in its preview.
  pages_read integer not null default 0,
  bytes_read bigint not null default 0,
  pages_refused integer not null default 0,
  crawl_until timestamptz not null,
  -- A raster of at most 256 KiB, so that the page that shows it asks no other host.
  logo bytea,
  logo_type text,
  turns_used integer not null default 0,
  -- The newest claim that waits for its mailed link, and how many there were.
  claim_id uuid,
  claims integer not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  claimed_at timestamptz,
  -- Since when nothing is left of it but this row.
  emptied_at timestamptz
);
create index sandboxes_by_end on sandboxes (expires_at);

-- What is counted of sandboxes across tenants, by salted hashes alone. It outlives each of them.
create table sandbox_tally (
  entry_id bigint generated always as identity primary key,
  hash text not null,
  at timestamptz not null default now()
);
create index sandbox_tally_by_hash on sandbox_tally (hash, at);
create index sandbox_tally_by_time on sandbox_tally (at);
