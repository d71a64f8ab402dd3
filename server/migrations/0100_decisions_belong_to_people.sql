-- A userId is only unique among the people who are registered now: once a person is removed, the next one may get it. So what a person
-- decides belongs to their internal id, which is never used again. The userId beside it says what the tenant's own system called them.
--
-- Each person_id below is 0 where no registered person acted: no person at all, or a userId that was only stated. It is null in rows
-- from before this migration, and in those that an instance of the version before writes while a deployment is rolled out.
alter table audit_events add column person_id bigint;
alter table actions add column requested_by_person_id bigint;
alter table keys add column approver_person_id bigint;
alter table shadow_differences add column person_id bigint;

-- Where one number names a person (approvals.user_id, actions.earlier_requesters, .confirmed_by_user_id and .overtaken), it is now minus the
-- internal id of every registered person, with or without a userId. A positive number is a userId that was only stated, or one from before
-- this migration: no approval of it counts under a policy, and as a requester it bars the person who has that userId.

-- The person is part of an event's hash from here on. An event without one keeps the form of before, so both forms can be checked: they are
-- JSON arrays of different lengths, and no event has a hash in both.
create or replace function append_audit() returns trigger language plpgsql as $$
declare
  head public.audit_heads;
begin
  select * into head from public.audit_heads where tenant_id = new.tenant_id for update;
  if not found then
    insert into public.audit_heads (tenant_id, last_id, last_at, last_hash) values (new.tenant_id, 0, '-infinity', repeat('0', 64))
      on conflict (tenant_id) do nothing;
    select * into head from public.audit_heads where tenant_id = new.tenant_id for update;
  end if;
  new.id := head.last_id + 1;
  new.occurred_at := greatest(head.last_at, date_trunc('milliseconds', clock_timestamp()));
  new.hash := encode(sha256(convert_to((case when new.person_id is null then
      json_build_array(
        head.last_hash, new.tenant_id, new.id, audit_instant(new.occurred_at), new.action_id, new.tool, new.event, new.user_id,
        new.source, new.payload_hash, new.subject, new.scope_id, new.reason)
    else
      json_build_array(
        head.last_hash, new.tenant_id, new.id, audit_instant(new.occurred_at), new.action_id, new.tool, new.event, new.user_id,
        new.source, new.payload_hash, new.subject, new.scope_id, new.reason, new.person_id)
    end)::text, 'UTF8')), 'hex');
  if head.day is distinct from (new.occurred_at at time zone 'UTC')::date then
    insert into public.event_days as d (tenant_id, day, event, count)
    select new.tenant_id, head.day, c.key, c.value::integer from jsonb_each_text(head.counts) c
    on conflict (tenant_id, day, event) do update set count = d.count + excluded.count;
    head.day := (new.occurred_at at time zone 'UTC')::date;
    head.counts := '{}';
  end if;
  update public.audit_heads
     set last_id = new.id, last_at = new.occurred_at, last_hash = new.hash, day = head.day,
         counts = jsonb_set(head.counts, array[new.event], to_jsonb(coalesce((head.counts ->> new.event)::integer, 0) + 1))
   where tenant_id = new.tenant_id;
  return new;
end $$;
