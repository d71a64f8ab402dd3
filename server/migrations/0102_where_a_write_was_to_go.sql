-- Version 1 of the hash of a staged write did not cover where the write goes, so an approval ran it at another address once the
-- API was imported there. Rows from before this migration, and those of a process that runs the build before, are of version 1.
alter table actions add column hash_version smallint not null default 1;
-- The address that the write was staged for: what an approver is shown beside the present one. Null for version 1, and where no
-- address was configured.
alter table actions add column staged_for text;
