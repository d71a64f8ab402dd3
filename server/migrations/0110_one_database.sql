-- A deployment has one database. This removes what 0075, 0086, 0096 and 0097 made for several databases and for moving a tenant between
-- them. Instances of the previous version read `tenants.moving`, so stop them first. The checks below refuse a deployment whose tenants
-- are still in more than one database.

lock table database_place, tenant_moves, tenants in access exclusive mode;

do $$
declare
  names text;
  tenant integer;
  mark text;
begin
  select string_agg(distinct n.name, ', ' order by n.name) into names
    from database_place p cross join unnest(p.name || p.names) as n (name)
   where p.name <> 'first' or p.names <> array['first'];
  if names is not null then
    raise exception 'this database belongs to a deployment of several (database_place: %): with the previous version, move every tenant into the database of Database:Url, take the others out of the deployment, and run npm run migrate there', names;
  end if;
  select m.moved_tenant into tenant from tenant_moves m where m.state <> 'done' order by m.moved_tenant limit 1;
  if found then
    raise exception 'the move of tenant % has not ended (tenant_moves): with the previous version, finish or cancel it, and run npm run migrate again', tenant;
  end if;
  select t.tenant_id, t.moving into tenant, mark from tenants t where t.moving is not null order by t.tenant_id limit 1;
  if found then
    raise exception 'tenant % is marked as moving to another database (tenants.moving: %): with the previous version, finish or cancel its move, and run npm run migrate again', tenant, mark;
  end if;
end $$;

-- Each also drops its triggers: one on `actions`, one on `tenants`, and one on every other table of a tenant.
drop function refuse_closing() cascade;
drop function refuse_moving_tenant() cascade;
drop function refuse_moving() cascade;
drop sequence moves_underway;
drop table tenant_moves;
drop table database_place;
alter table tenants drop column moving, drop column moving_by;
-- The API no longer has an account event of this type.
delete from account_events where type = 'database.changed';
