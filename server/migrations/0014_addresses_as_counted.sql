-- Counting workspaces folds the dots of an address at every host. Recovery and mail go by `email_hash`, which folds Google's alone.
alter table tenants add column count_hash text;
create index tenants_by_counted_email on tenants (count_hash) where count_hash is not null;
