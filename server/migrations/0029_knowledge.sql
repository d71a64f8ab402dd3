-- What a business has written for its assistant to answer from.
create table knowledge_documents (
  tenant_id integer not null,
  name text not null,
  format text not null check (format in ('text', 'markdown')),
  text text not null,
  -- In code points.
  chars integer not null,
  source jsonb,
  -- Where each chunk begins and ends, and its heading.
  chunks jsonb not null,
  -- The packed index of its chunks.
  segment bytea not null,
  -- The version of the tenant's knowledge that this row made. No two rows of a tenant share one, so it names a row for good.
  version integer not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, name)
);

-- Counts the changes of a tenant's documents. It is read with every credential, so a process sees with each request whether what
-- it holds in memory is still true.
alter table tenants add column knowledge_version integer not null default 0;
