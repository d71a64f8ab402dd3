-- The rows of a statement are read apart from the tenants whose authority they change, and each tenant is counted by its own
-- statement: where the tables are divided by tenant, no other can be run from a trigger.
create or replace function count_authority() returns trigger language plpgsql as $$
declare
  whose integer;
begin
  for whose in select distinct tenant_id from changed order by tenant_id loop
    update tenants t set authority_version = t.authority_version + 1 where t.tenant_id = whose and t.deleted_at is null;
  end loop;
  return null;
end $$;
