-- The events that stood in the trail before its head began to count. The database goes on counting what happens meanwhile.
insert into event_days as d (tenant_id, day, event, count)
select e.tenant_id, (e.occurred_at at time zone 'UTC')::date, e.event, count(*)
  from audit_events e join audit_heads h on h.tenant_id = e.tenant_id and e.id <= h.counted_after
 group by 1, 2, 3
on conflict (tenant_id, day, event) do update set count = d.count + excluded.count;
alter table audit_heads drop column counted_after;
