-- The audit trail of staged writes, its archives, and the triggers that protect both.

-- Event ids are per tenant, gapless and in commit order, because an insert locks the tenant's head until it commits. A reader that
-- pages by `after` therefore misses nothing. Times never decrease, so that a time is also a position in the trail, even after a clock
-- was set back. Each event carries a hash over all its members and the hash of the event before it.
create table audit_heads (
  tenant_id integer primary key,
  last_id bigint not null,
  last_at timestamptz not null,
  last_hash text not null,
  -- The current day and its events by type, such as {"proposed": 12, "executed": 9}. Every event updates this row anyway; past days
  -- move to `event_days`.
  day date,
  counts jsonb not null default '{}'
);
create table audit_events (
  tenant_id integer not null,
  id bigint not null,
  occurred_at timestamptz not null,
  action_id uuid,
  tool text,
  event text not null check (event in ('proposed', 'approved', 'rejected', 'expired', 'executed', 'failed', 'replayed', 'superseded',
    'prohibited', 'precondition_failed', 'precondition_error', 'provider_refused', 'verified', 'unverified')),
  user_id bigint not null default 0,
  source text not null,
  payload_hash text,
  subject text,
  scope_id bigint,
  reason text,
  hash text not null,
  -- See 1006_writes.sql. An event with a person_id includes it in its hash. An older event without one has the shorter form. Both are
  -- JSON arrays of different length, so that no event has the same hash in both forms.
  person_id bigint,
  primary key (tenant_id, id)
);
create index audit_by_time on audit_events (tenant_id, occurred_at, id);
create index audit_by_action on audit_events (tenant_id, action_id, id);
-- Triggers guard the trail. The role that runs the service also lacks the privilege, unless it is a superuser.
revoke update, truncate on audit_events from public, current_user;

-- Events per UTC day and type.
create table event_days (
  tenant_id integer not null,
  day date not null,
  event text not null,
  count integer not null,
  primary key (tenant_id, day, event)
);

-- In milliseconds, so that an instant has one text for everyone who verifies the chain.
create function audit_instant(at timestamptz) returns text language sql immutable as $$
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- Names the schema of each table, so that a session's temporary tables cannot take their place. `set search_path` would also prevent
-- that, but makes every event a tenth slower.
create function append_audit() returns trigger language plpgsql as $$
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
create trigger audit_append before insert on audit_events for each row execute function append_audit();

-- Whether the current role owns the table. The role of the service does not, where the two are separate (deploy/database-roles.sh).
create function owns_trail(trail oid) returns boolean language sql stable set search_path = pg_catalog, pg_temp as $$
  select pg_has_role(current_user, relowner, 'usage') from pg_class where oid = trail
$$;

-- A tenant's trail may be deleted only as a whole, after the tenant: its row is a tombstone, or it is a sandbox, whose trail has no
-- owner. The erasure announces itself in tether.erasing_tenant.
--
-- The check stays inline and sets no search_path: it runs for every row, and either would make an erasure ten times as slow.
create function keep_audit() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if current_setting('tether.erasing_tenant', true) = old.tenant_id::text
       and not exists (select from public.tenants t where t.tenant_id = old.tenant_id and t.deleted_at is null and not t.sandbox) then
      return old;
    end if;
  end if;
  raise exception 'audit events are never changed or deleted' using errcode = 'insufficient_privilege';
end $$;
-- Only an event moves the head.
create trigger audit_heads_keep before insert or update or delete on audit_heads for each row
  when (pg_trigger_depth() = 0) execute function keep_audit();

create function keep_audit_whole() returns trigger language plpgsql as $$
begin
  raise exception 'audit events are never changed or deleted' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_keep_whole before truncate on audit_events for each statement execute function keep_audit_whole();
create trigger audit_heads_keep_whole before truncate on audit_heads for each statement execute function keep_audit_whole();

-- Besides erasure there is one other way out of the trail: its owner, who announces it in tether.archiving_tenant, deletes events that
-- an archive already holds.
create function keep_audit_events() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if current_setting('tether.erasing_tenant', true) = old.tenant_id::text
       and not exists (select from public.tenants t where t.tenant_id = old.tenant_id and t.deleted_at is null and not t.sandbox) then
      return old;
    end if;
    if current_setting('tether.archiving_tenant', true) = old.tenant_id::text and public.owns_trail(tg_relid)
       and old.id <= (select a.last_id from public.audit_archives a where a.tenant_id = old.tenant_id order by a.first_id desc limit 1) then
      return old;
    end if;
  end if;
  raise exception 'audit events are never changed or deleted' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_keep before update on audit_events for each row execute function keep_audit_events();
-- An announced erasure runs no function per row; the statement trigger below checks all deleted rows at once. A statement trigger does
-- not fire for a statement that names a partition, so there every row is checked.
create trigger audit_keep_event before delete on audit_events for each row
  when (current_setting('tether.erasing_tenant', true) is distinct from old.tenant_id::text or old.tableoid <> 'audit_events'::regclass)
  execute function keep_audit_events();
create function keep_trails() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  -- The archive may take the beginning of a trail whose tenant is there.
  if exists (
    select from (select e.tenant_id, max(e.id) as id from erased e group by e.tenant_id) e
      join tenants t on t.tenant_id = e.tenant_id and t.deleted_at is null and not t.sandbox
     where not coalesce(
       current_setting('tether.archiving_tenant', true) = e.tenant_id::text and owns_trail(tg_relid)
         and e.id <= (select a.last_id from audit_archives a where a.tenant_id = e.tenant_id order by a.first_id desc limit 1), false)) then
    raise exception 'audit events are never changed or deleted' using errcode = 'insufficient_privilege';
  end if;
  return null;
end $$;
create trigger audit_keep_trail after delete on audit_events referencing old table as erased for each statement execute function keep_trails();

-- The tenant's row says whether its trail may go, so it changes in one direction only. The owner of the table is not bound by this.
create function keep_tombstone() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if owns_trail(tg_relid) then
    return case tg_op when 'DELETE' then old else new end;
  end if;
  raise exception 'a tenant neither comes back nor changes its id' using errcode = 'insufficient_privilege';
end $$;
create trigger tombstone_kept before update on tenants for each row
  when (new.tenant_id <> old.tenant_id or new.sandbox and not old.sandbox or old.deleted_at is not null and new.deleted_at is null)
  execute function keep_tombstone();
create trigger tombstone_stays before delete on tenants for each row when (not old.sandbox) execute function keep_tombstone();

-- Months of the trail that moved from the table into files (`npm run audit:archive`): the events that each file holds, and the hashes
-- at both ends, so that the rest of the trail verifies against them.
create table audit_archives (
  tenant_id integer not null,
  first_id bigint not null,
  last_id bigint not null,
  month date not null,
  -- The hash of the event before the first one.
  previous_hash text not null,
  last_hash text not null,
  last_at timestamptz not null,
  -- Relative to the folder of the archive.
  file text not null,
  file_sha256 text not null,
  archived_at timestamptz not null,
  primary key (tenant_id, first_id),
  check (last_id >= first_id)
);
revoke update, truncate on audit_archives from public, current_user;

-- An archive follows the previous one, ends with an event that is in the table, and never changes. Only the owner adds one.
create function append_archive() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  before_it record;
begin
  if not owns_trail(tg_relid) then
    raise exception 'only the owner of the trail archives it' using errcode = 'insufficient_privilege';
  end if;
  select a.last_id, a.last_hash into before_it from audit_archives a
   where a.tenant_id = new.tenant_id order by a.first_id desc limit 1;
  if new.first_id <> coalesce(before_it.last_id, 0) + 1 or new.previous_hash <> coalesce(before_it.last_hash, repeat('0', 64)) then
    raise exception 'an archive follows the one before it' using errcode = 'check_violation';
  end if;
  if not exists (select from audit_events e where e.tenant_id = new.tenant_id and e.id = new.last_id and e.hash = new.last_hash) then
    raise exception 'an archive ends with an event of the trail' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger archive_append before insert on audit_archives for each row execute function append_archive();
-- Like the head, it is deleted with its tenant.
create trigger archive_keep before update or delete on audit_archives for each row execute function keep_audit();
create trigger archive_keep_whole before truncate on audit_archives for each statement execute function keep_audit_whole();
