-- Whoever reads a turn at another instance asks to be told more often (n = -2), as whoever stops one asks for that (n = -1).
drop index turn_frames_to_stop;
create index turn_frames_asked on turn_frames (tenant_id, request_id) where n < 0;

-- Its parts are emptied minutes after they were filled. What would be gathered or cleaned up of them meanwhile is never used.
alter table turn_frames_0 set (autovacuum_enabled = false);
alter table turn_frames_1 set (autovacuum_enabled = false);
alter table turn_frames_2 set (autovacuum_enabled = false);

-- What is sealed is not made smaller by compressing it.
alter table turn_frames alter column data set storage external;
alter table turn_frames_0 alter column data set storage external;
alter table turn_frames_1 alter column data set storage external;
alter table turn_frames_2 alter column data set storage external;

-- As before, but a look at a part ends at the first row that is younger: in the parts that are in use, near its beginning.
create or replace function forget_turn_frames(seconds double precision) returns integer
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '50ms' as $$
declare
  part text;
  is_old boolean;
  forgotten integer := 0;
begin
  foreach part in array array['turn_frames_0', 'turn_frames_1', 'turn_frames_2'] loop
    execute format('select exists (select from %1$I) and not exists (select from %1$I where at >= now() - make_interval(secs => $1))', part)
       into is_old using seconds;
    continue when not is_old;
    begin
      execute format('lock table %I in access exclusive mode', part);
      execute format('select not exists (select from %I where at >= now() - make_interval(secs => $1))', part) into is_old using seconds;
      continue when not is_old;
      execute format('truncate table %I', part);
      forgotten := forgotten + 1;
    exception when lock_not_available then
      null;
    end;
  end loop;
  return forgotten;
end $$;
