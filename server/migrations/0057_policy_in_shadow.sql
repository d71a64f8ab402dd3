-- A policy that a workspace tries beside the one in force: it is judged with every decision, and decides none. The row stays when
-- the trial ends, without rules, so that a decision that was judged by an ended one is never counted for the next.
create table shadow_policies (
  tenant_id integer primary key,
  version integer not null,
  rules text,
  decided bigint not null default 0,
  differing bigint not null default 0,
  created_at timestamptz not null default now()
);

-- Decisions that it would have made otherwise: what the policy in force said, and what this one would have said.
create table shadow_differences (
  tenant_id integer not null,
  version integer not null,
  number bigint not null,
  at timestamptz not null default now(),
  action_id uuid not null,
  tool text not null,
  decision text not null check (decision in ('confirm', 'reject', 'amend')),
  -- As in the trail: a userId, or minus the id of a person without one, or 0 for nobody.
  user_id bigint not null,
  policy_version integer not null,
  live text not null,
  shadow text not null,
  primary key (tenant_id, version, number)
);
