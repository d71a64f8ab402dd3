-- As before, but each query selects a column: over several shards, Citus cannot read a result without columns.
create or replace function forget_turn_frames(seconds double precision) returns integer
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
