-- Whoever takes over the service has its role, and may say like it that a tenant is being erased. That leads out of the trail only where
-- the tenant is gone: its row is a tombstone by then, or it was a sandbox. Neither can be taken back, so nobody takes events out of the
-- trail of a workspace that goes on. The table is named with its schema, because a temporary one of that name would be found first. No
-- function stands between, and no setting: these are asked for each row, and either would cost ten times as much.
create or replace function keep_audit() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if current_setting('tether.erasing_tenant', true) = old.tenant_id::text
       and not exists (select from public.tenants t where t.tenant_id = old.tenant_id and t.deleted_at is null and not t.sandbox) then
      return old;
    end if;
  end if;
  raise exception 'audit events are never changed or deleted' using errcode = 'insufficient_privilege';
end $$;

create or replace function keep_audit_events() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if current_setting('tether.erasing_tenant', true) = old.tenant_id::text
       and not exists (select from public.tenants t where t.tenant_id = old.tenant_id and t.deleted_at is null and not t.sandbox) then
      return old;
    end if;
    if current_setting('tether.archiving_tenant', true) = old.tenant_id::text and owns_trail(tg_relid)
       and old.id <= (select a.last_id from public.audit_archives a where a.tenant_id = old.tenant_id order by a.first_id desc limit 1) then
      return old;
    end if;
  end if;
  raise exception 'audit events are never changed or deleted' using errcode = 'insufficient_privilege';
end $$;

create function keep_tenant() returns trigger language plpgsql as $$
begin
  raise exception 'a tenant keeps its row and its id, and one that was deleted does not come back' using errcode = 'insufficient_privilege';
end $$;
create trigger tenant_keep before delete on tenants for each row when (not old.sandbox) execute function keep_tenant();
create trigger tenant_keep_as_it_is before update of tenant_id, sandbox, deleted_at on tenants for each row
  when (new.tenant_id <> old.tenant_id or new.sandbox and not old.sandbox or old.deleted_at is not null and new.deleted_at is null)
  execute function keep_tenant();
