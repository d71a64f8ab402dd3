-- What a model may reach, and where.

-- One endpoint and one catalog per tenant. Both are read with every credential, so they stand on the tenant's own row.
alter table tenants add column endpoint_url text;
alter table tenants add column catalog_version integer not null default 0;

-- Every registration is a new row and nothing is overwritten: a turn keeps the version that it began with.
-- `tools` is the JSON as it was sent, byte for byte.
create table catalogs (
  tenant_id integer not null,
  version integer not null,
  tools text not null,
  tool_count integer not null,
  write_tool_count integer not null,
  registered_at timestamptz not null default now(),
  primary key (tenant_id, version)
);

-- One row per call of a tool: what was called, how it ended, how long it took. Never arguments, never results.
create table tool_calls (
  tenant_id integer not null,
  call_id bigint generated always as identity,
  at timestamptz not null,
  request_id text not null,
  tool text not null,
  domain text not null,
  surface text not null,
  status text not null,
  http_status integer,
  attempts integer not null,
  duration_ms integer not null,
  primary key (tenant_id, call_id)
);
