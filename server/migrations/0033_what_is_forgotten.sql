-- What regular work deletes is found by its age.
create index keys_to_forget on keys (revoked_at) where revoked_at is not null;
create index tool_calls_to_forget on tool_calls (at);
-- A list shows the newest of those that were revoked.
create index keys_revoked on keys (tenant_id, revoked_at desc) where revoked_at is not null;

-- Documents of old policies go when there are too many of them; their rows stay, with the hash. A row without a hash is from
-- before, and has its document.
alter table policies alter column rules drop not null, add column hash text;
