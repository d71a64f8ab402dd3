-- MCP servers of a tenant whose tools are part of its catalog.
create table upstreams (
  tenant_id integer not null,
  name text not null,
  url text not null,
  -- Sealed, and bound to this row.
  credential text,
  -- Each declared tool, with its definition at the server at that time.
  tools text not null,
  -- Tools that differ from their declaration: the name at the server, and 'changed' or 'vanished'. Declaring the server again empties it.
  moved text not null default '{}',
  -- Why the last check failed. Null if it succeeded.
  fault text,
  checked_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Servers are also checked while no one calls them, by one process at a time: its lease.
  looking_until timestamptz,
  primary key (tenant_id, name)
);
create index upstreams_by_look on upstreams (checked_at);
