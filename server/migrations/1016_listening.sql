-- Listeners on developers' machines, and the requests that wait for them, visible to every instance. The tables are unlogged: a request
-- here is still open, and ends with the caller that waits for its response. So no call reaches the write-ahead log, a standby or a copy
-- of either. After a crash the tables are empty, and the listener connects again.
create unlogged table listener_lines (
  tenant_id integer primary key,
  epoch text not null,
  listener text not null,
  -- The epoch that the listener sent when it was last admitted.
  asked_epoch text,
  -- The number of the last request.
  last integer not null default 0,
  seen_at timestamptz not null
);
create unlogged table listener_requests (
  tenant_id integer not null,
  epoch text not null,
  number integer not null,
  -- The request is sealed before its number is known. It is bound to this id instead.
  seal_id text not null,
  -- Sealed. Emptied as soon as the answer arrives.
  request text,
  bytes integer not null,
  given boolean not null default false,
  -- Sealed. The row is deleted as soon as the waiting caller has read it.
  answer text,
  -- The waiting process extends this repeatedly, so that no request is handed out for a process that is gone.
  awaited_until timestamptz not null,
  primary key (tenant_id, epoch, number)
);
