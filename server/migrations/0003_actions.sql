-- Staged writes, who approved them, and the trail of everything that happened to them.

create table actions (
  tenant_id integer not null,
  action_id uuid not null,
  tool text not null,
  domain text not null,
  title text not null,
  summary text not null,
  rationale text,
  -- JSON as it was staged, and the SHA-256 of what would run: an approval is of these bytes and of no others.
  arguments text not null,
  payload_hash text not null,
  risk text not null,
  value numeric,
  state text not null check (state in ('pending', 'executing', 'executed', 'failed', 'rejected', 'expired', 'indeterminate', 'precondition_failed')),
  scope_id bigint,
  subject text,
  session_id text,
  requested_by_user_id bigint not null default 0,
  -- Sent to the endpoint with every attempt, and never changed: the endpoint claims it.
  idempotency_key text not null,
  -- The caller's own key for staging, and what it staged with.
  stage_key text,
  stage_hash text,
  attempts integer not null default 0,
  -- Who executes now, and until when that is believed.
  claim_token uuid,
  lease_until timestamptz,
  confirmed_by_user_id bigint,
  -- The endpoint's answer as the bytes that came: no body can turn a performed write into an unrecorded one.
  result bytea,
  error_code text,
  error_message text,
  verification_status text,
  verification_reason text,
  verified_at timestamptz,
  -- Until when somebody is believed to read the effect back.
  verify_until timestamptz,
  reminded_at timestamptz,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  settled_at timestamptz,
  primary key (tenant_id, action_id)
);
create unique index actions_by_stage_key on actions (tenant_id, stage_key) where stage_key is not null;
create index actions_by_state on actions (tenant_id, state, created_at desc, action_id desc);
create index actions_to_expire on actions (expires_at) where state = 'pending';
create index actions_to_verify on actions (verify_until) where verify_until is not null;
create index action_tokens_to_forget on keys (expires_at) where kind = 'action';
create index actions_in_hand on actions (lease_until) where state = 'executing';

-- One confirm key belongs to one action: sent again it answers what that action did, and for another action it is refused.
create table confirm_keys (
  tenant_id integer not null,
  user_id bigint not null,
  confirm_key text not null,
  action_id uuid not null,
  primary key (tenant_id, user_id, confirm_key)
);

-- Who said yes, once per person and action, to these bytes.
create table approvals (
  tenant_id integer not null,
  action_id uuid not null,
  user_id bigint not null,
  payload_hash text not null,
  -- The claim that was running when this approval came, if one was: it is superseded when that claim settles.
  during_claim uuid,
  at timestamptz not null default now(),
  primary key (tenant_id, action_id, user_id)
);

-- The people of a tenant, and the rules by which they approve.
create table users (
  tenant_id integer not null,
  id bigint generated always as identity,
  -- The person's id in the tenant's own system, where it gave one.
  user_id bigint,
  display_name text not null,
  email text,
  role text not null default 'member',
  active boolean not null default true,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create unique index users_by_user_id on users (tenant_id, user_id) where user_id is not null;
create index users_by_email on users (tenant_id, lower(email)) where email is not null;

create table policies (
  tenant_id integer not null,
  version integer not null,
  rules text not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, version)
);

-- The trail. Ids are per tenant, gapless and taken in commit order, because whoever appends holds the head until its
-- commit: a reader that pages by `after` misses nothing. Times never go back, so that a time is a place in the trail even
-- after somebody set the clock. Each event carries a hash over everything it says and the hash of the one before.
create table audit_heads (
  tenant_id integer primary key,
  last_id bigint not null,
  last_at timestamptz not null,
  last_hash text not null
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
  primary key (tenant_id, id)
);
create index audit_by_time on audit_events (tenant_id, occurred_at, id);
create index audit_by_action on audit_events (tenant_id, action_id, id);

-- Milliseconds, so that the same instant has one text for everyone who checks the chain.
create function audit_instant(at timestamptz) returns text language sql immutable as $$
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

create function append_audit() returns trigger language plpgsql as $$
declare
  head audit_heads;
begin
  select * into head from audit_heads where tenant_id = new.tenant_id for update;
  if not found then
    insert into audit_heads (tenant_id, last_id, last_at, last_hash) values (new.tenant_id, 0, '-infinity', repeat('0', 64))
      on conflict (tenant_id) do nothing;
    select * into head from audit_heads where tenant_id = new.tenant_id for update;
  end if;
  new.id := head.last_id + 1;
  new.occurred_at := greatest(head.last_at, date_trunc('milliseconds', clock_timestamp()));
  new.hash := encode(sha256(convert_to(json_build_array(
    head.last_hash, new.tenant_id, new.id, audit_instant(new.occurred_at), new.action_id, new.tool, new.event, new.user_id,
    new.source, new.payload_hash, new.subject, new.scope_id, new.reason)::text, 'UTF8')), 'hex');
  update audit_heads set last_id = new.id, last_at = new.occurred_at, last_hash = new.hash where tenant_id = new.tenant_id;
  return new;
end $$;
create trigger audit_append before insert on audit_events for each row execute function append_audit();

-- The database itself refuses to change the trail. Only the erasure of a whole tenant, which says so, may delete it.
create function keep_audit() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('tether.erasing_tenant', true) = old.tenant_id::text then
    return old;
  end if;
  raise exception 'audit events are never changed or deleted' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_keep before update or delete on audit_events for each row execute function keep_audit();
-- The head moves with an event, and in no other way.
create trigger audit_heads_keep before insert or update or delete on audit_heads for each row
  when (pg_trigger_depth() = 0) execute function keep_audit();
create function keep_audit_whole() returns trigger language plpgsql as $$
begin
  raise exception 'audit events are never changed or deleted' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_keep_whole before truncate on audit_events for each statement execute function keep_audit_whole();
create trigger audit_heads_keep_whole before truncate on audit_heads for each statement execute function keep_audit_whole();
-- And the role that runs the service has not even the right, unless it is a superuser.
revoke update, truncate on audit_events from public, current_user;

-- What will be told to the tenant's server, written by the statement that makes it true.
create table outbox (
  tenant_id integer not null,
  outbox_id bigint generated always as identity,
  event_id text not null,
  event text not null,
  action_id uuid,
  session_id text,
  occurred_at timestamptz not null default clock_timestamp(),
  -- The members that this event has beside the common ones, as a JSON object.
  fields text not null default '{}',
  primary key (tenant_id, outbox_id)
);
create index outbox_of_action on outbox (tenant_id, action_id, outbox_id);
