-- What happened on each UTC day, counted as it happens, so that a page about ninety days reads ninety days and not a million rows.
-- The database counts, so that no statement can change something without being noticed.

-- Events of staged writes. The head of the trail counts the day that runs, because every event writes that row anyway; a day that is
-- over is kept in `event_days`. What stands in the trail by now is added up by the next migration, while nobody waits for it.
create table event_days (
  tenant_id integer not null,
  day date not null,
  event text not null,
  count integer not null,
  primary key (tenant_id, day, event)
);
alter table audit_heads
  add column day date,
  -- By type of event, such as {"proposed": 12, "executed": 9}.
  add column counts jsonb not null default '{}',
  -- Up to this event the next migration counts.
  add column counted_after bigint not null default 0;
alter table audit_heads disable trigger audit_heads_keep;
update audit_heads set counted_after = last_id;
alter table audit_heads enable trigger audit_heads_keep;

create or replace function append_audit() returns trigger language plpgsql as $$
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
  if head.day is distinct from (new.occurred_at at time zone 'UTC')::date then
    insert into event_days as d (tenant_id, day, event, count)
    select new.tenant_id, head.day, c.key, c.value::integer from jsonb_each_text(head.counts) c
    on conflict (tenant_id, day, event) do update set count = d.count + excluded.count;
    head.day := (new.occurred_at at time zone 'UTC')::date;
    head.counts := '{}';
  end if;
  update audit_heads
     set last_id = new.id, last_at = new.occurred_at, last_hash = new.hash, day = head.day,
         counts = jsonb_set(head.counts, array[new.event], to_jsonb(coalesce((head.counts ->> new.event)::integer, 0) + 1))
   where tenant_id = new.tenant_id;
  return new;
end $$;

-- Ratings, by the day of the latest word on each answer.
create table rating_days (
  tenant_id integer not null,
  day date not null,
  up integer not null,
  down integer not null,
  primary key (tenant_id, day)
);
-- Rows are written in the order of their keys, so that no two statements wait for each other.
create function count_ratings() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into rating_days as d (tenant_id, day, up, down)
    select tenant_id, (updated_at at time zone 'UTC')::date as day, -count(*) filter (where rating = 'up'),
           -count(*) filter (where rating = 'down')
      from gone group by 1, 2 order by 1, 2
    on conflict (tenant_id, day) do update set up = d.up + excluded.up, down = d.down + excluded.down;
  end if;
  if tg_op <> 'DELETE' then
    insert into rating_days as d (tenant_id, day, up, down)
    select tenant_id, (updated_at at time zone 'UTC')::date as day, count(*) filter (where rating = 'up'),
           count(*) filter (where rating = 'down')
      from came group by 1, 2 order by 1, 2
    on conflict (tenant_id, day) do update set up = d.up + excluded.up, down = d.down + excluded.down;
  end if;
  return null;
end $$;
-- When its conversation began, so that conversations with a rating are found in their order.
alter table feedback add column began_at timestamptz;
update feedback f set began_at = s.created_at
  from sessions s where s.tenant_id = f.tenant_id and s.session_id = f.session_id;
create function note_beginning() returns trigger language plpgsql as $$
begin
  new.began_at := (select s.created_at from sessions s where s.tenant_id = new.tenant_id and s.session_id = new.session_id);
  return new;
end $$;
create trigger rating_placed before insert on feedback for each row execute function note_beginning();
create index feedback_by_beginning on feedback (tenant_id, rating, began_at desc, session_id desc);
drop index feedback_by_rating;
create trigger rating_counted after insert on feedback referencing new table as came
  for each statement execute function count_ratings();
create trigger rating_changed after update on feedback referencing old table as gone new table as came
  for each statement execute function count_ratings();
create trigger rating_erased after delete on feedback referencing old table as gone
  for each statement execute function count_ratings();
insert into rating_days (tenant_id, day, up, down)
select tenant_id, (updated_at at time zone 'UTC')::date, count(*) filter (where rating = 'up'),
       count(*) filter (where rating = 'down')
  from feedback group by 1, 2;

-- Turns, and the conversations that they were part of: each once on a day, however many processes write its turns.
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
create function count_turn_days() returns trigger language plpgsql as $$
begin
  with began as (
    insert into conversation_days (tenant_id, day, session_id)
    select distinct tenant_id, (at at time zone 'UTC')::date, session_id from changed where session_id is not null
     order by 1, 2, 3
    on conflict (tenant_id, day, session_id) do nothing
    returning tenant_id, day
  ), counted as (
    select tenant_id, day, 1 as conversations, 0 as turns, 0 as answered, 0 as handed_off from began
    union all
    select tenant_id, (at at time zone 'UTC')::date, 0, 1, answered::integer, handed_off::integer from changed
  )
  insert into turn_days as d (tenant_id, day, conversations, turns, answered, handed_off)
  select tenant_id, day, sum(conversations), sum(turns), sum(answered), sum(handed_off)
    from counted group by 1, 2 order by 1, 2
  on conflict (tenant_id, day) do update
     set conversations = d.conversations + excluded.conversations, turns = d.turns + excluded.turns,
         answered = d.answered + excluded.answered, handed_off = d.handed_off + excluded.handed_off;
  return null;
end $$;
create trigger turn_days_counted after insert on turn_records referencing new table as changed
  for each statement execute function count_turn_days();
insert into conversation_days (tenant_id, day, session_id)
select distinct tenant_id, (at at time zone 'UTC')::date, session_id from turn_records where session_id is not null;
insert into turn_days (tenant_id, day, conversations, turns, answered, handed_off)
select tenant_id, (at at time zone 'UTC')::date, count(distinct session_id), count(*), count(*) filter (where answered),
       count(*) filter (where handed_off)
  from turn_records group by 1, 2;

-- What each model took.
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
begin
  insert into model_days as d (tenant_id, day, model, rounds, input_tokens, output_tokens, cost_usd)
  select tenant_id, (at at time zone 'UTC')::date, model, count(*), sum(input_tokens), sum(output_tokens), sum(cost_usd)
    from changed group by 1, 2, 3 order by 1, 2, 3
  on conflict (tenant_id, day, model) do update
     set rounds = d.rounds + excluded.rounds, input_tokens = d.input_tokens + excluded.input_tokens,
         output_tokens = d.output_tokens + excluded.output_tokens, cost_usd = d.cost_usd + excluded.cost_usd;
  return null;
end $$;
create trigger model_days_counted after insert on usage_rows referencing new table as changed
  for each statement execute function count_model_days();
insert into model_days (tenant_id, day, model, rounds, input_tokens, output_tokens, cost_usd)
select tenant_id, (at at time zone 'UTC')::date, model, count(*), sum(input_tokens), sum(output_tokens), sum(cost_usd)
  from usage_rows group by 1, 2, 3;

-- What waits, in the order in which it runs out.
create index actions_waiting on actions (tenant_id, expires_at, action_id) where state = 'pending';
