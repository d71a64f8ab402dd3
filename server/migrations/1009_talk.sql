-- Conversations, the messages of people in them, ratings, and the output of running turns.

-- A conversation belongs to the caller that began it: a verified customer, a guest who holds its id, a user of a secret key, an
-- agent's key, or a visitor of a sandbox.
create table sessions (
  tenant_id integer not null,
  session_id text not null,
  owner_kind text not null check (owner_kind in ('customer', 'guest', 'user', 'agent', 'sandbox')),
  owner text not null,
  -- A summary of the oldest exchanges, which the model no longer gets verbatim, and the last exchange that it covers.
  summary text,
  summarised_to integer not null default 0,
  exchanges integer not null default 0,
  -- The turn that called a person, so that one turn calls once.
  handed_off_by text,
  created_at timestamptz not null default now(),
  -- The assistant's latest answer. Its next turn reports later decisions.
  last_at timestamptz not null default now(),
  -- The language of the latest turn.
  language text,
  -- When a person last wrote or, during a takeover, the visitor.
  messaged_at timestamptz,
  -- Until then the model gets no turn; and the person who took over, if the caller named one.
  taken_over_until timestamptz,
  taken_over_by bigint,
  -- Decided proposals that an answer has already reported, so that each is reported once. `last_at` cannot tell: a decision made during
  -- a turn is older than that turn's answer, which did not know it. Null in conversations from before, until their next answer;
  -- then `last_at` counts.
  told_actions uuid[],
  primary key (tenant_id, session_id)
);
create index sessions_by_owner on sessions (tenant_id, owner_kind, owner);
create index sessions_by_start on sessions (tenant_id, created_at desc, session_id desc);
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
  -- Refusals and out-of-budget answers are stored so that visitors can rate them. The model does not get them, and they do not count
  -- as unanswered questions.
  result_path text not null default 'ok',
  -- What staff see of each answer: blocks, tool calls and handoff as JSON. Null in the oldest exchanges.
  blocks text,
  tool_calls text,
  handoff text,
  primary key (tenant_id, session_id, number)
);
create unique index exchanges_by_request on exchanges (tenant_id, request_id);
create index exchanges_unanswered on exchanges (tenant_id, at) where not answered;

-- What staff wrote to visitors, and what visitors wrote during a takeover.
create table conversation_messages (
  tenant_id integer not null,
  message_id text not null,
  session_id text not null,
  author text not null check (author in ('person', 'visitor')),
  -- The author of a person's message, if the caller named one. The name is only in `users`, and is deleted there.
  person_id bigint,
  -- The caller's idempotency key, so that a message that is sent twice is shown once.
  message_key text,
  -- The visitor's latest turn when a person wrote. The message is shown after it.
  follows text,
  -- The request that carried a visitor's message.
  request_id text,
  text text not null,
  at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, message_id)
);
create index conversation_messages_by_session on conversation_messages (tenant_id, session_id, at);
create unique index conversation_messages_by_key on conversation_messages (tenant_id, session_id, message_key)
  where message_key is not null;

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
  -- When its conversation began, set by trigger. The list of rated conversations is in this order.
  began_at timestamptz,
  primary key (tenant_id, request_id)
);
create index feedback_by_time on feedback (tenant_id, updated_at desc, request_id);
create index feedback_by_session on feedback (tenant_id, session_id);
create index feedback_by_beginning on feedback (tenant_id, rating, began_at desc, session_id desc);
create function note_beginning() returns trigger language plpgsql as $$
begin
  new.began_at := (select s.created_at from sessions s where s.tenant_id = new.tenant_id and s.session_id = new.session_id);
  return new;
end $$;
create trigger rating_placed before insert on feedback for each row execute function note_beginning();

-- Ratings per UTC day of their latest change. Counted by triggers in the manner of 1002_usage.sql.
create table rating_days (
  tenant_id integer not null,
  day date not null,
  up integer not null,
  down integer not null,
  primary key (tenant_id, day)
);
create function count_ratings() returns trigger language plpgsql as $$
declare
  one record;
begin
  if tg_op <> 'INSERT' then
    for one in
      select tenant_id, (updated_at at time zone 'UTC')::date as day, -count(*) filter (where rating = 'up') as up,
             -count(*) filter (where rating = 'down') as down
        from gone group by 1, 2 order by 1, 2
    loop
      insert into rating_days as d (tenant_id, day, up, down) values (one.tenant_id, one.day, one.up, one.down)
      on conflict (tenant_id, day) do update set up = d.up + excluded.up, down = d.down + excluded.down;
    end loop;
  end if;
  if tg_op <> 'DELETE' then
    for one in
      select tenant_id, (updated_at at time zone 'UTC')::date as day, count(*) filter (where rating = 'up') as up,
             count(*) filter (where rating = 'down') as down
        from came group by 1, 2 order by 1, 2
    loop
      insert into rating_days as d (tenant_id, day, up, down) values (one.tenant_id, one.day, one.up, one.down)
      on conflict (tenant_id, day) do update set up = d.up + excluded.up, down = d.down + excluded.down;
    end loop;
  end if;
  return null;
end $$;
create trigger rating_counted after insert on feedback referencing new table as came
  for each statement execute function count_ratings();
create trigger rating_changed after update on feedback referencing old table as gone new table as came
  for each statement execute function count_ratings();
create trigger rating_erased after delete on feedback referencing old table as gone
  for each statement execute function count_ratings();

-- The output of running turns, for readers on other instances. Rows live for minutes; truncating one of three partitions in rotation
-- removes them. The partitions are unlogged: after a crash, and on a promoted standby, they are empty, and the instance that runs a
-- turn writes its frames again.
create table turn_frames (
  tenant_id integer not null,
  request_id text not null,
  -- The number of the last frame in this row. 0: the turn's owner and the last heartbeat of its instance. -1: a request to stop the
  -- turn. -2: a reader on another instance requests more frequent writes.
  n integer not null,
  -- Sealed, because a frame may contain the token of a staged write.
  data text,
  -- No frame follows.
  over boolean not null default false,
  at timestamptz not null default now(),
  slot smallint not null
) partition by list (slot);
-- Sealed text does not compress. Partitions inherit this.
alter table turn_frames alter column data set storage external;
-- A partition is emptied minutes after it was filled, so that statistics and vacuumed space would never be used.
create unlogged table turn_frames_0 partition of turn_frames for values in (0) with (autovacuum_enabled = false);
create unlogged table turn_frames_1 partition of turn_frames for values in (1) with (autovacuum_enabled = false);
create unlogged table turn_frames_2 partition of turn_frames for values in (2) with (autovacuum_enabled = false);
create index turn_frames_of_turn on turn_frames (tenant_id, request_id, n);
create index turn_frames_asked on turn_frames (tenant_id, request_id) where n < 0;

-- Truncates the partitions in which every row is old enough. Runs as the owner, because the role of the service may not truncate. A
-- partition that another session has locked, such as a backup, waits for the next run. The check stops at the first younger row:
-- in a partition that is in use, near its beginning.
create function forget_turn_frames(seconds double precision) returns integer
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '50ms' as $$
declare
  part text;
  is_old boolean;
  forgotten integer := 0;
begin
  foreach part in array array['turn_frames_0', 'turn_frames_1', 'turn_frames_2'] loop
    execute format('select exists (select 1 from %1$I) and not exists (select 1 from %1$I where at >= now() - make_interval(secs => $1))', part)
       into is_old using seconds;
    continue when not is_old;
    begin
      execute format('lock table %I in access exclusive mode', part);
      execute format('select not exists (select 1 from %I where at >= now() - make_interval(secs => $1))', part) into is_old using seconds;
      continue when not is_old;
      execute format('truncate table %I', part);
      forgotten := forgotten + 1;
    exception when lock_not_available then
      null;
    end;
  end loop;
  return forgotten;
end $$;
