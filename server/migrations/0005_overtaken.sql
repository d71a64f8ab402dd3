-- Whose yes the running claim has overtaken. It stands in the action's own row, so that the statement which settles the claim
-- reads it under that row's lock and misses nobody; in `approvals` it would read what stood before it waited for the lock.
alter table actions add column overtaken bigint[] not null default '{}';
alter table approvals drop column during_claim;
