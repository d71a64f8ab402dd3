-- The API that a tenant imported: where its operations are called, and with whose authority. The last import only; the
-- tools themselves stand in the catalog.
create table imports (
  tenant_id integer primary key,
  base_url text not null,
  user_token text not null check (user_token in ('ignore', 'prefer', 'require')),
  -- Sealed. A text, or a scheme as JSON.
  credential text,
  -- The repository that the document came from, as it was sent.
  source json,
  tool_count integer not null,
  imported_at timestamptz not null default now()
);
