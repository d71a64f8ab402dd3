-- The documents that an assistant answers from, and the words by which a workspace names its domains.

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
  -- The packed index of the chunks.
  segment bytea not null,
  -- The version of the tenant's knowledge that wrote this row. No two rows of a tenant share one, so that it identifies the row.
  version integer not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The embeddings: the digest of each chunk's text with its vector, packed. The newest ones, and those of the previous model, which
  -- serve until every document of the tenant has new ones.
  vectors bytea,
  vectors_model text,
  vectors_dimensions integer,
  -- The document's version at the time. Vectors of another version are not searched, but an unchanged chunk keeps its vector.
  vectors_version integer,
  -- The change of the tenant's knowledge that wrote the vectors. It identifies them, as `version` identifies the document.
  vectors_stamp integer not null default 0,
  older_vectors bytea,
  older_model text,
  older_dimensions integer,
  -- When the document is due to be embedded or retried. Null if there is nothing to do.
  embed_at timestamptz default now(),
  embed_tries integer not null default 0,
  primary key (tenant_id, name)
);
create index knowledge_to_embed on knowledge_documents (embed_at) where embed_at is not null;

-- Each change of the vocabulary is a version. Old versions lose their document; the row and the hash stay.
create table domain_packs (
  tenant_id integer not null,
  version integer not null,
  lexicon text,
  hash text not null,
  -- The suggestion that it came from, if any.
  suggestion_id text,
  created_at timestamptz not null default now(),
  primary key (tenant_id, version)
);

-- Proposed changes of the vocabulary. They take effect when a person accepts them.
create table domain_suggestions (
  tenant_id integer not null,
  suggestion_id text not null,
  status text not null check (status in ('pending', 'accepted', 'dismissed', 'superseded')),
  lexicon text not null,
  source text,
  note text,
  -- The path of the source, or else the key. A new proposal of the same origin replaces the pending one.
  origin text not null,
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  primary key (tenant_id, suggestion_id)
);
create unique index domain_suggestions_pending on domain_suggestions (tenant_id, origin) where status = 'pending';
create index domain_suggestions_newest on domain_suggestions (tenant_id, created_at desc, suggestion_id desc);
create index domain_suggestions_decided on domain_suggestions (decided_at) where decided_at is not null;
