-- Staged writes, their approvals, and the policies that decide who may approve.
--
-- Three kinds of column name a person:
--   *_person_id names a registered person by their internal id, which is never reused. 0: no registered person acted, or only a
--     userId was stated. Null: the row is from before these columns.
--   approvals.user_id, actions.confirmed_by_user_id, .overtaken and .earlier_requesters hold minus the internal id of a registered
--     person. A positive number is a userId that was only stated, or one from before. No such approval counts under a policy. As a
--     requester it bars the person who has that userId.
--   Other user_id columns repeat what the tenant's own system called the person: a userId, minus the internal id of a person without
--     one, or 0 for no person. A userId is unique only among people who are registered now.

create table actions (
  tenant_id integer not null,
  action_id uuid not null,
  tool text not null,
  domain text not null,
  title text not null,
  summary text not null,
  rationale text,
  -- The staged JSON, and the SHA-256 of the call that would run. An approval covers exactly these bytes.
  arguments text not null,
  payload_hash text not null,
  risk text not null,
  value numeric,
  state text not null check (state in ('pending', 'executing', 'executed', 'failed', 'rejected', 'expired', 'indeterminate', 'precondition_failed')),
  scope_id bigint,
  subject text,
  session_id text,
  requested_by_user_id bigint not null default 0,
  -- Sent to the endpoint with every attempt and never changed. The endpoint claims it.
  idempotency_key text not null,
  -- The caller's idempotency key for staging, and a hash of the request that used it.
  stage_key text,
  stage_hash text,
  attempts integer not null default 0,
  -- The execution that runs now, and when its lease expires.
  claim_token uuid,
  lease_until timestamptz,
  confirmed_by_user_id bigint,
  -- The endpoint's response as raw bytes, so that no body can make a performed write impossible to record.
  result bytea,
  error_code text,
  error_message text,
  verification_status text,
  verification_reason text,
  verified_at timestamptz,
  -- The lease of the process that reads the effect back.
  verify_until timestamptz,
  reminded_at timestamptz,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  settled_at timestamptz,
  -- People whose approvals the running claim has overtaken. They stand in this row and not in `approvals`: the statement that settles
  -- the claim reads them under this row's lock and misses none. In `approvals` it would read a snapshot from before the lock.
  overtaken bigint[] not null default '{}',
  -- The caller that asks the endpoint for the outcome of an indeterminate write, and its lease: one at a time. A refusal counts only
  -- from the current holder. A previous holder's question may have performed the write.
  reconcile_token uuid,
  reconciling_until timestamptz,
  -- The endpoint that the last claim sent the write to. Only that endpoint can know the outcome.
  sent_to text,
  -- The credential that staged the write: its key's hash, or keys.limited_as after rotations. An agent may query the writes that it
  -- staged, even after a rotation. Null in the oldest rows.
  staged_by bytea,
  -- An amended action is rejected, and another one with different arguments replaces it. Each row names the other.
  replaces uuid,
  replaced_by uuid,
  -- The requesters of the actions that this one replaces. A policy that bars requesters bars all of them.
  earlier_requesters bigint[] not null default '{}',
  -- Whether the visitor may read the reason of a rejection. By default only staff may.
  tell_visitor boolean not null default false,
  -- How often its approvers were reminded. Each reminder is a separate occasion in `notices`.
  reminders integer not null default 0,
  requested_by_person_id bigint,
  -- Version 1 of payload_hash did not cover the address of the write, so a later import could move an approved write. New actions
  -- have version 2. The default marks rows from before.
  hash_version smallint not null default 1,
  -- The address that the write was staged for; an approver sees it beside the current one. Null for hash version 1, and if no address
  -- was configured.
  staged_for text,
  primary key (tenant_id, action_id)
);
create unique index actions_by_stage_key on actions (tenant_id, stage_key) where stage_key is not null;
create index actions_by_state on actions (tenant_id, state, created_at desc, action_id desc);
create index actions_by_session on actions (tenant_id, session_id, created_at desc) where session_id is not null;
create index actions_waiting on actions (tenant_id, expires_at, action_id) where state = 'pending';
create index actions_unverified on actions (tenant_id, session_id) where verification_status = 'unverified';
create index actions_to_expire on actions (expires_at) where state = 'pending';
create index actions_to_verify on actions (verify_until) where verify_until is not null;
create index actions_in_hand on actions (lease_until) where state = 'executing';

-- A confirm key belongs to one action. Sent again, it returns the outcome of that action. For another action it is refused.
create table confirm_keys (
  tenant_id integer not null,
  user_id bigint not null,
  confirm_key text not null,
  action_id uuid not null,
  primary key (tenant_id, user_id, confirm_key)
);

-- One approval per person and action, of exactly this payload.
create table approvals (
  tenant_id integer not null,
  action_id uuid not null,
  user_id bigint not null,
  payload_hash text not null,
  at timestamptz not null default now(),
  -- False: no policy was in force. Such an approval does not count under a later policy.
  under_policy boolean not null default true,
  primary key (tenant_id, action_id, user_id)
);

-- Each change of the policy is a new version. Old versions lose their rules when there are too many of them; the row and the hash
-- stay. A row without a hash is from before hashes were stored, and has its rules.
create table policies (
  tenant_id integer not null,
  version integer not null,
  rules text,
  created_at timestamptz not null default now(),
  hash text,
  primary key (tenant_id, version)
);

-- Counts changes of policies and people, by trigger, so that no statement can change authority unnoticed: a claim compares the count
-- that it was checked against. A deleted tenant is skipped, because it has nothing left to decide. Each tenant gets its own
-- statement, because on divided tables a trigger may write for one tenant at a time.
create function count_authority() returns trigger language plpgsql as $$
declare
  whose integer;
begin
  for whose in select distinct tenant_id from changed order by tenant_id loop
    update tenants t set authority_version = t.authority_version + 1 where t.tenant_id = whose and t.deleted_at is null;
  end loop;
  return null;
end $$;
create trigger policies_counted after insert on policies referencing new table as changed
  for each statement execute function count_authority();

-- A policy on trial beside the one in force. It is evaluated with every decision and decides none. When the trial ends the row stays
-- without rules, so that a decision evaluated under it never counts for the next trial.
create table shadow_policies (
  tenant_id integer primary key,
  version integer not null,
  rules text,
  decided bigint not null default 0,
  differing bigint not null default 0,
  created_at timestamptz not null default now()
);

-- Decisions on which the two policies differ, with the result of each.
create table shadow_differences (
  tenant_id integer not null,
  version integer not null,
  number bigint not null,
  at timestamptz not null default now(),
  action_id uuid not null,
  tool text not null,
  decision text not null check (decision in ('confirm', 'reject', 'amend')),
  user_id bigint not null,
  policy_version integer not null,
  live text not null,
  shadow text not null,
  person_id bigint,
  primary key (tenant_id, version, number)
);
