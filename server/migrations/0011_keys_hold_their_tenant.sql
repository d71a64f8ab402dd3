-- A change of the catalog alone, on its own: the one lock that nobody can look up a key beside is held for a moment.
alter table keys drop constraint keys_pkey, add constraint keys_pkey primary key using index keys_by_hash;
