-- The words by which a workspace names its domains. Each change is a version; the row of the tenant counts them, because it
-- is read with every credential. Documents of old versions go, their rows stay with the hash.
alter table tenants add column pack_version integer not null default 0;

create table domain_packs (
  tenant_id integer not null,
  version integer not null,
  lexicon text,
  hash text not null,
  -- The suggestion that it came of, if it did.
  suggestion_id text,
  created_at timestamptz not null default now(),
  primary key (tenant_id, version)
);

-- What somebody proposes for the pack. Nothing of it counts before a person accepts it.
create table domain_suggestions (
  tenant_id integer not null,
  suggestion_id text not null,
  status text not null check (status in ('pending', 'accepted', 'dismissed', 'superseded')),
  lexicon text not null,
  source text,
  note text,
  -- Who proposes again replaces what still waits: the path of the source, or else the key.
  origin text not null,
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  primary key (tenant_id, suggestion_id)
);
create unique index domain_suggestions_pending on domain_suggestions (tenant_id, origin) where status = 'pending';
create index domain_suggestions_newest on domain_suggestions (tenant_id, created_at desc, suggestion_id desc);
create index domain_suggestions_decided on domain_suggestions (decided_at) where decided_at is not null;

-- Which domain a question was about, by the words of the pack.
alter table turn_records add column domain text;
