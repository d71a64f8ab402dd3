-- The tools that a model can reach, and their calls.

-- Each registration is a new row, and rows are never overwritten: a turn keeps the version that it began with.
create table catalogs (
  tenant_id integer not null,
  version integer not null,
  -- The JSON that the tenant sent, byte for byte. Null if an earlier row already stores the same document, or after an old document was
  -- dropped to bound their number.
  tools text,
  tool_count integer not null,
  write_tool_count integer not null,
  registered_at timestamptz not null default now(),
  -- The document's SHA-256. Null in the oldest rows, which have their document.
  hash text,
  primary key (tenant_id, version)
);
create index catalogs_by_document on catalogs (tenant_id, hash) where tools is not null;

-- One row per call: the tool, the outcome, the duration. No arguments and no results.
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
)
-- Rows expire daily in batches (see turn_records).
with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);
create index tool_calls_to_forget on tool_calls (at);
