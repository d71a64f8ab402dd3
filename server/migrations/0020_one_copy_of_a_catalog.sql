-- Each registration is still a version and a row. A document that is registered again is not stored again: its row names
-- the document by its SHA-256, and `tools` is null. Documents of old versions go when there are too many of them; their
-- rows stay, with the hash. A row without a hash is from before, and has its document.
alter table catalogs alter column tools drop not null, add column hash text;
create index catalogs_by_document on catalogs (tenant_id, hash) where tools is not null;
