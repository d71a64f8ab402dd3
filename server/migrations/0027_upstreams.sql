-- An MCP server of a business whose tools are a part of its catalog. `tools` says what was declared of each, and what it looked like then.
create table upstreams (
  tenant_id integer not null,
  name text not null,
  url text not null,
  -- Sealed, and bound to this row.
  credential text,
  tools text not null,
  -- Tools that are no longer what was declared: their name at the server to 'changed' or 'vanished'. Declaring the server again empties it.
  moved text not null default '{}',
  -- How the last look ended: null for well, otherwise in words.
  fault text,
  checked_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, name)
);
-- Counts the changes of a tenant's upstreams, so that a catalog that is registered meanwhile is made of what they are now.
alter table tenants add column upstreams_version integer not null default 0;
