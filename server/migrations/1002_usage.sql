-- Turns, their cost, and daily counts of both.
--
-- Triggers count, so that no statement can skip it. Each trigger first sums the rows that its statement changed, then writes one sum
-- after another in the order of their keys. Two statements therefore never deadlock. It also writes for one tenant at a time: tables
-- that are divided over nodes allow no more (docs/scale.md).

-- One row per turn: its outcome, duration and tokens. No content.
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
  -- The domain of the question, found by the words of the vocabulary.
  domain text,
  primary key (tenant_id, record_id)
)
-- Rows expire daily in batches. Vacuum at a twentieth of dead rows instead of a fifth, or the table grows by that much (docs/scale.md).
with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);
create index turn_records_by_time on turn_records (tenant_id, at);
create index turn_records_to_forget on turn_records (at);

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
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);
create index usage_by_time on usage_rows (tenant_id, at);
create index usage_rows_to_forget on usage_rows (at);

-- Turns per UTC day, and the conversations that they were part of. A conversation counts once per day, no matter how many processes
-- write its turns.
create table turn_days (
  tenant_id integer not null,
  day date not null,
  conversations integer not null,
  turns integer not null,
  answered integer not null,
  handed_off integer not null,
  primary key (tenant_id, day)
);
create table conversation_days (
  tenant_id integer not null,
  day date not null,
  session_id text not null,
  primary key (tenant_id, day, session_id)
);
create index conversation_days_to_forget on conversation_days (day);
create function count_turn_days() returns trigger language plpgsql as $$
declare
  one record;
  session text;
  began integer;
begin
  for one in
    select tenant_id, (at at time zone 'UTC')::date as day, count(*) as turns, count(*) filter (where answered) as answered,
           count(*) filter (where handed_off) as handed_off,
           coalesce(array_agg(distinct session_id) filter (where session_id is not null), '{}') as sessions
      from changed group by 1, 2 order by 1, 2
  loop
    began := 0;
    foreach session in array one.sessions loop
      insert into conversation_days (tenant_id, day, session_id) values (one.tenant_id, one.day, session)
      on conflict (tenant_id, day, session_id) do nothing;
      began := began + found::integer;
    end loop;
    insert into turn_days as d (tenant_id, day, conversations, turns, answered, handed_off)
    values (one.tenant_id, one.day, began, one.turns, one.answered, one.handed_off)
    on conflict (tenant_id, day) do update
       set conversations = d.conversations + excluded.conversations, turns = d.turns + excluded.turns,
           answered = d.answered + excluded.answered, handed_off = d.handed_off + excluded.handed_off;
  end loop;
  return null;
end $$;
create trigger turn_days_counted after insert on turn_records referencing new table as changed
  for each statement execute function count_turn_days();

-- Rounds, tokens and cost per model and UTC day.
create table model_days (
  tenant_id integer not null,
  day date not null,
  model text not null,
  rounds integer not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  cost_usd numeric(24, 12) not null,
  primary key (tenant_id, day, model)
);
create function count_model_days() returns trigger language plpgsql as $$
declare
  one record;
begin
  for one in
    select tenant_id, (at at time zone 'UTC')::date as day, model, count(*) as rounds, sum(input_tokens) as input,
           sum(output_tokens) as output, sum(cost_usd) as cost
      from changed group by 1, 2, 3 order by 1, 2, 3
  loop
    insert into model_days as d (tenant_id, day, model, rounds, input_tokens, output_tokens, cost_usd)
    values (one.tenant_id, one.day, one.model, one.rounds, one.input, one.output, one.cost)
    on conflict (tenant_id, day, model) do update
       set rounds = d.rounds + excluded.rounds, input_tokens = d.input_tokens + excluded.input_tokens,
           output_tokens = d.output_tokens + excluded.output_tokens, cost_usd = d.cost_usd + excluded.cost_usd;
  end loop;
  return null;
end $$;
create trigger model_days_counted after insert on usage_rows referencing new table as changed
  for each statement execute function count_model_days();

-- Spending per UTC day (2026-11-21) or month (2026-11), and the amount that running rounds have reserved.
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

-- One reservation per round that runs under a spending cap. The round's ledger row ends it. If it expires first, its amount counts
-- as spent.
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
  used integer not null,
  -- The allowance at the last count. An existing row is checked against the row that would be inserted.
  most integer
);
