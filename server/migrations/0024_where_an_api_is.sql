-- Where the imported API of a tenant is, on the tenant's own row beside the endpoint: a claim compares and locks in one place
-- everything that it was judged by, and remembers where the write was sent.
alter table tenants add column api_url text;
update tenants t set api_url = i.base_url from imports i where i.tenant_id = t.tenant_id;

-- The database keeps the copy, so that no statement can import an API elsewhere without being noticed.
create function note_api() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    update tenants t set api_url = null where t.tenant_id = old.tenant_id;
  else
    update tenants t set api_url = new.base_url
     where t.tenant_id = new.tenant_id and t.api_url is distinct from new.base_url;
  end if;
  return null;
end $$;
create trigger imports_noted after insert or update or delete on imports for each row execute function note_api();
