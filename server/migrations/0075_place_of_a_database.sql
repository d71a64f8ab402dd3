-- Where several databases stand behind one process, each knows which of them it is, so that an address that leads elsewhere is noticed
-- before a tenant is looked for in the wrong place. A database that is alone has no row.
create table database_place (
  is_only boolean primary key default true check (is_only),
  deployment uuid not null,
  name text not null
);
