-- Imported APIs, and imports that a person prepares in the console.

-- The tenant's last import: where its operations are called, and with which credential. The tools are in the catalog.
create table imports (
  tenant_id integer primary key,
  base_url text not null,
  user_token text not null check (user_token in ('ignore', 'prefer', 'require')),
  -- Sealed. A text, or a scheme as JSON.
  credential text,
  -- The repository of the document, as the caller sent it.
  source json,
  tool_count integer not null,
  imported_at timestamptz not null default now()
);

-- Copies the address into tenants.api_url, where a claim compares and locks it. A trigger does it, so that no statement can move an API
-- unnoticed.
create function note_api() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    update tenants t set api_url = null where t.tenant_id = old.tenant_id;
  else
    update tenants t set api_url = new.base_url
     where t.tenant_id = new.tenant_id and t.api_url is distinct from new.base_url;
  end if;
  return null;
end $$;
create trigger imports_noted after insert or update or delete on imports for each row execute function note_api();

-- A document in the console before its tools are registered, one per tenant. It contains no secret.
create table import_drafts (
  tenant_id integer primary key,
  -- Another document is another draft, so that a form of the previous one changes nothing.
  draft_id uuid not null,
  -- The uploaded text, packed.
  document bytea not null,
  base_url text not null,
  -- What the import could not take over, and the tools that the document no longer has, as the API reports them.
  notes json not null,
  removed json not null,
  operation_count integer not null,
  made_at timestamptz not null default now(),
  -- Set while the registered import equals the draft.
  imported_at timestamptz
);

-- The operations of a draft, and what the person chose for each. A choice is null until they make it.
create table import_draft_operations (
  tenant_id integer not null,
  draft_id uuid not null,
  -- In the order of the document.
  place integer not null,
  name text not null,
  method text not null,
  path text not null,
  -- The beginning of the path, which groups long lists.
  section text not null,
  description text not null,
  inputs text not null,
  deprecated boolean not null,
  -- Compared with the tools already registered from a document. Null if no tools are registered.
  change text check (change in ('added', 'changed', 'same')),
  choice text check (choice in ('read', 'write', 'skip', 'keep')),
  risk text check (risk in ('low', 'elevated', 'high')),
  requires_customer boolean not null default false,
  fault text,
  primary key (tenant_id, draft_id, place)
);
