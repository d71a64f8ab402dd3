-- What running turns have said so far, where every instance finds it. Rows are kept for minutes, and forgotten by emptying one of three
-- parts in rotation. They are not logged: after a crash of the database, and on a promoted standby, there are none, and the instance
-- that runs a turn writes them again.
create table turn_frames (
  tenant_id integer not null,
  request_id text not null,
  -- The number of the last frame in this row. 0: whose turn it is, and when its instance was last heard of. -1: somebody asks to stop it.
  n integer not null,
  -- Sealed, because a frame may hold the token of a staged write.
  data text,
  -- Nothing follows.
  over boolean not null default false,
  at timestamptz not null default now(),
  slot smallint not null
) partition by list (slot);
create unlogged table turn_frames_0 partition of turn_frames for values in (0);
create unlogged table turn_frames_1 partition of turn_frames for values in (1);
create unlogged table turn_frames_2 partition of turn_frames for values in (2);
create index turn_frames_of_turn on turn_frames (tenant_id, request_id, n);
create index turn_frames_to_stop on turn_frames (tenant_id, request_id) where n = -1;

-- Empties the parts in which nothing is younger. The role of the service may not truncate a table, so this is done in the name of its
-- owner. A part that somebody else holds, as a backup does, is left for the next time.
create function forget_turn_frames(seconds double precision) returns integer
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '50ms' as $$
declare
  part text;
  is_old boolean;
  forgotten integer := 0;
begin
  foreach part in array array['turn_frames_0', 'turn_frames_1', 'turn_frames_2'] loop
    execute format('select max(at) < now() - make_interval(secs => $1) from %I', part) into is_old using seconds;
    continue when is_old is not true;
    begin
      execute format('lock table %I in access exclusive mode', part);
      execute format('select max(at) < now() - make_interval(secs => $1) from %I', part) into is_old using seconds;
      continue when is_old is not true;
      execute format('truncate table %I', part);
      forgotten := forgotten + 1;
    exception when lock_not_available then
      null;
    end;
  end loop;
  return forgotten;
end $$;
