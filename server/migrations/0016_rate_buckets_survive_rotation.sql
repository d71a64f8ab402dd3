-- The hash of the key that this one came of by rotation, however often: both count in its rate bucket. Null where it came of none.
alter table keys add column limited_as bytea;
