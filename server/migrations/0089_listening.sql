-- The lines of listeners on developers' machines, and what waits for them, where every instance finds it. They are not logged: what is
-- here is somebody's request that is still open, which ends with whoever waits for its answer. So neither the log of the database nor
-- a standby nor a copy of either holds a call. After a crash there is no line, and the listener begins a new one.
create unlogged table listener_lines (
  tenant_id integer primary key,
  epoch text not null,
  listener text not null,
  -- The epoch that its listener asked with when it was last let in.
  asked_epoch text,
  -- The number of the last request.
  last integer not null default 0,
  seen_at timestamptz not null
);
create unlogged table listener_requests (
  tenant_id integer not null,
  epoch text not null,
  number integer not null,
  -- The request is sealed before its number is known, and to this instead.
  seal_id text not null,
  -- Sealed. Gone as soon as the answer is there.
  request text,
  bytes integer not null,
  given boolean not null default false,
  -- Sealed. The row goes as soon as whoever waits has read it.
  answer text,
  -- Whoever waits says so again and again, so that nothing is given for a process that is gone.
  awaited_until timestamptz not null,
  primary key (tenant_id, epoch, number)
);
