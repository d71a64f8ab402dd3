-- How often a tenant's policy or one of its people changed. It stands on the tenant's own row, beside the catalog's version and
-- the endpoint, so that a claim can compare and lock everything that it was judged by in one place.
alter table tenants add column authority_version integer not null default 0;

-- The database counts, so that no statement and no former build can change a policy or a person without being noticed.
create function count_authority() returns trigger language plpgsql as $$
begin
  update tenants t set authority_version = t.authority_version + 1
    from (select distinct tenant_id from changed) as c where t.tenant_id = c.tenant_id;
  return null;
end $$;
create trigger policies_counted after insert on policies referencing new table as changed
  for each statement execute function count_authority();
create trigger people_added_counted after insert on users referencing new table as changed
  for each statement execute function count_authority();
create trigger people_changed_counted after update on users referencing new table as changed
  for each statement execute function count_authority();
