-- What a model makes of the chunks of a document, so that they are found by what they mean. The newest vectors, and those of the
-- model before, which serve until every document of the tenant has new ones.
alter table knowledge_documents
  -- The digest of each chunk's text and its vector, packed.
  add column vectors bytea,
  -- The model and the number of dimensions that they were asked of.
  add column vectors_model text,
  add column vectors_dimensions integer,
  -- The version of the document that they were made from. Those of another version serve nobody, but a chunk that did not change
  -- keeps its vector.
  add column vectors_version integer,
  -- The change of the tenant's knowledge that wrote them. It names them for good, as `version` names a document.
  add column vectors_stamp integer not null default 0,
  add column older_vectors bytea,
  add column older_model text,
  add column older_dimensions integer,
  -- When the document is due to be embedded, or tried again; null if nothing is to be done.
  add column embed_at timestamptz default now(),
  add column embed_tries integer not null default 0;

create index knowledge_to_embed on knowledge_documents (embed_at) where embed_at is not null;
