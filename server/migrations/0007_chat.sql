-- Conversations, what they cost, and what became of them.

-- A conversation belongs to whoever began it: a verified customer, a guest who holds its id, a user of a secret key, or
-- an agent's key.
create table sessions (
  tenant_id integer not null,
  session_id text not null,
  owner_kind text not null check (owner_kind in ('customer', 'guest', 'user', 'agent', 'sandbox')),
  owner text not null,
  -- What was said so long ago that it is not shown word for word any more, and up to which exchange it tells.
  summary text,
  summarised_to integer not null default 0,
  exchanges integer not null default 0,
  -- The turn in which a person was called, so that one turn calls once.
  handed_off_by text,
  created_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  primary key (tenant_id, session_id)
);
create index sessions_by_owner on sessions (tenant_id, owner_kind, owner);
create index sessions_to_forget on sessions (last_at);

create table exchanges (
  tenant_id integer not null,
  session_id text not null,
  number integer not null,
  request_id text not null,
  prompt text not null,
  reply text not null,
  used_tools text[] not null default '{}',
  answered boolean not null,
  at timestamptz not null default now(),
  primary key (tenant_id, session_id, number)
);
create unique index exchanges_by_request on exchanges (tenant_id, request_id);
create index exchanges_unanswered on exchanges (tenant_id, at) where not answered;

-- One rating per answer.
create table feedback (
  tenant_id integer not null,
  request_id text not null,
  session_id text not null,
  rating text not null check (rating in ('up', 'down')),
  comment text,
  customer_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, request_id)
);
create index feedback_by_time on feedback (tenant_id, updated_at desc, request_id);
create index feedback_by_session on feedback (tenant_id, session_id);

-- One row per turn: how it ended and what it took. Never a word of what was said.
create table turn_records (
  tenant_id integer not null,
  record_id uuid not null,
  at timestamptz not null,
  request_id text not null,
  session_id text,
  surface text not null,
  source text not null,
  client text not null,
  plan text not null,
  kind text not null,
  result_path text not null check (result_path in ('ok', 'out_of_scope', 'budget_exceeded', 'error', 'canceled')),
  error_code text,
  rounds integer not null,
  tool_calls integer not null,
  proposals integer not null,
  handed_off boolean not null,
  answered boolean not null,
  preview boolean not null,
  input_tokens integer not null,
  output_tokens integer not null,
  model text not null,
  duration_ms integer not null,
  first_text_ms integer,
  primary key (tenant_id, record_id)
);
create index turn_records_by_time on turn_records (tenant_id, at);

-- The ledger: one row per round that a model answered.
create table usage_rows (
  tenant_id integer not null,
  usage_id uuid not null,
  at timestamptz not null,
  request_id text not null,
  purpose text not null,
  model text not null,
  input_tokens integer not null,
  output_tokens integer not null,
  cost_usd numeric(24, 12) not null,
  hold_id uuid,
  primary key (tenant_id, usage_id)
);
create index usage_by_time on usage_rows (tenant_id, at);

-- What was spent in a UTC day (2026-11-21) or month (2026-11), and what is reserved by rounds that run.
create table spend (
  tenant_id integer not null,
  period text not null,
  spent_usd numeric(24, 12) not null default 0,
  held_usd numeric(24, 12) not null default 0,
  primary key (tenant_id, period)
);
create table deployment_spend (
  period text primary key,
  spent_usd numeric(24, 12) not null default 0,
  held_usd numeric(24, 12) not null default 0
);
-- One per round that runs under a ceiling. It ends with the ledger row of its round, or counts as spent when it lapses.
create table spend_holds (
  tenant_id integer not null,
  hold_id uuid not null,
  amount_usd numeric(24, 12) not null,
  periods text[] not null,
  deployment_periods text[] not null,
  expires_at timestamptz not null,
  lapsed boolean not null default false,
  primary key (tenant_id, hold_id)
);
create index spend_holds_to_lapse on spend_holds (expires_at);

-- The daily allowance of the free plan: a window of 24 hours that begins with its first turn.
create table turn_quotas (
  tenant_id integer primary key,
  began_at timestamptz not null,
  used integer not null
);

-- An action token that the customer whom the action is about may use, where the policy lets customers confirm.
alter table keys add column self_confirm boolean not null default false;
