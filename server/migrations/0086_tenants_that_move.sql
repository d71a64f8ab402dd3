-- A tenant moves from one of several databases to another (`npm run move-tenant`).

-- closing: no write begins to execute. leaving: nothing is read or written. arriving: being copied to here. moved: it was here.
-- Of the last two the row is a deleted one as well, so that whatever passes over those who are gone passes over them.
alter table tenants add column moving text check (moving in ('closing', 'leaving', 'arriving', 'moved'));
-- The run of the command that set the mark. One that was overtaken by another changes nothing any more.
alter table tenants add column moving_by uuid;

-- Which database holds a tenant that was moved. Only that of the first one counts: a move is decided by one change of one row there.
create table tenant_moves (
  -- Not a row of that tenant: it is neither copied nor deleted with it.
  moved_tenant integer primary key,
  from_name text not null,
  to_name text not null,
  state text not null check (state in ('copying', 'switched', 'done')),
  started_at timestamptz not null default now(),
  switched_at timestamptz,
  finished_at timestamptz
);

-- 1 while a tenant moves from here or to here. It is a sequence because reading one is no query: each row that is written asks it.
create sequence moves_underway minvalue 0 start 0;
grant select on sequence moves_underway to public;

-- Nothing is written for a tenant that is leaving, arriving or moved, whichever process asks and whatever it remembers. A writer shows its
-- transaction before it looks, so that whoever sets the mark can wait for all who did not see it.
create function refuse_moving() returns trigger language plpgsql as $$
declare
  tenant integer := case tg_op when 'DELETE' then old.tenant_id else new.tenant_id end;
begin
  if exists (select from tenants t where t.tenant_id = tenant and t.moving in ('leaving', 'arriving', 'moved')) then
    -- A queue passes over it, as over what somebody else holds. It says so by an argument, because a part of a divided table has a
    -- name of its own.
    if tg_nargs > 0 and tg_op <> 'INSERT' then
      return null;
    end if;
    raise exception 'tenant % is being moved to another database', tenant using errcode = 'TM001';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;

-- The row itself, by which the others go.
create function refuse_moving_tenant() returns trigger language plpgsql as $$
begin
  raise exception 'tenant % is being moved to another database', old.tenant_id using errcode = 'TM001';
end $$;
create trigger moving_refused before update or delete on tenants for each row
  when (pg_current_xact_id() is not null and old.moving in ('leaving', 'arriving', 'moved')) execute function refuse_moving_tenant();

-- What executes is waited for before its tenant leaves, so nothing more begins.
create function refuse_closing() returns trigger language plpgsql as $$
begin
  if exists (select from tenants t where t.tenant_id = new.tenant_id and t.moving is not null) then
    raise exception 'tenant % is being moved to another database', new.tenant_id using errcode = 'TM001';
  end if;
  return new;
end $$;
create trigger closing_refused before update on actions for each row
  when (new.state = 'executing' and old.state <> 'executing'
        and pg_current_xact_id() is not null and pg_sequence_last_value('moves_underway') > 0) execute function refuse_closing();

do $$
declare
  name text;
begin
  for name in
    select c.relname from pg_class c join pg_attribute t on t.attrelid = c.oid and t.attname = 'tenant_id'
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname not in ('tenants', 'turn_frames')
  loop
    execute format('create trigger moving_refused before insert or update or delete on %I for each row '
      'when (pg_current_xact_id() is not null and pg_sequence_last_value(''moves_underway'') > 0) execute function refuse_moving(%s)',
      name, case name when 'outbox' then quote_literal('pass over') else '' end);
  end loop;
end $$;
