-- A document that a person imports in the console, until its tools are registered: one of a tenant. It holds no secret.
create table import_drafts (
  tenant_id integer primary key,
  -- Another document is another draft, so that a form of the old one changes nothing.
  draft_id uuid not null,
  -- The text as it was sent, packed.
  document bytea not null,
  base_url text not null,
  -- What the import could not take as it stands, and the tools that the document no longer has: as the interface tells them.
  notes json not null,
  removed json not null,
  operation_count integer not null,
  made_at timestamptz not null default now(),
  -- Set while what was imported is what is declared.
  imported_at timestamptz
);

-- What can be declared of it, and what a person has said of each. Nothing is said until somebody says it.
create table import_draft_operations (
  tenant_id integer not null,
  draft_id uuid not null,
  -- In the order of the document.
  place integer not null,
  name text not null,
  method text not null,
  path text not null,
  -- The beginning of its path, by which many are looked through.
  section text not null,
  description text not null,
  inputs text not null,
  deprecated boolean not null,
  -- Against the tools that are registered from a document; null where none are.
  change text check (change in ('added', 'changed', 'same')),
  choice text check (choice in ('read', 'write', 'skip', 'keep')),
  risk text check (risk in ('low', 'elevated', 'high')),
  requires_customer boolean not null default false,
  fault text,
  primary key (tenant_id, draft_id, place)
);

-- How far a crawl is, and why the last one that failed did. A row without an end is a crawl that runs, or one whose process died.
alter table preview_crawls
  add column site_url text,
  add column began_at timestamptz not null default now(),
  add column pages integer not null default 0,
  add column bytes bigint not null default 0,
  add column refused integer not null default 0,
  add column ended_at timestamptz,
  add column fault text,
  add column fault_reason text;
