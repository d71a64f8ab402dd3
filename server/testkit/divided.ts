// The tables of tenants in hash partitions by tenant: a stand-in for every engine that divides them so.
import type { Database } from '../src/kernel/db/index.ts'
import { citusWorkers } from './citus.ts'

/** Into how many partitions the tests on a server divide each table of a tenant; undefined leaves them whole. */
export function partitionsAsked(): number | undefined {
  const asked = process.env.TEST_PARTITIONS ?? ''
  if (asked === '') return undefined
  const count = Number(asked)
  if (!Number.isInteger(count) || count < 1 || count > 64)
    throw new Error(`TEST_PARTITIONS is "${asked}": set a number from 1 to 64, or leave it unset.`)
  return count
}

/** Whether the tests run on divided tables at all. */
export const isDivided = (): boolean => partitionsAsked() !== undefined || citusWorkers().length > 0

/**
 * Puts every table that has a `tenant_id` into partitions, as the migrations left it: columns, keys, indexes, checks, triggers and what
 * is set for its storage. For a database that nothing has been written to but by its migrations.
 */
export const divide = (database: Database, partitions: number): Promise<void> => database.script(division(partitions))

// What PostgreSQL itself says of an index, a constraint or a trigger makes the same one again. The name of the whole table is
// free for the divided one as soon as the other has gone into a schema of its own, with all that hangs on it.
const division = (partitions: number): string => `do $$
declare
  whole record;
  again text;
  made text[];
begin
  create schema whole;
  for whole in
    select c.oid, c.relname as name, c.reloptions as options
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relispartition
     order by c.relname
  loop
    select array_agg(definition order by place, definition) into made
      from (
        select 1 as place, format('alter table public.%I add constraint %I %s', whole.name, conname, pg_get_constraintdef(oid)) as definition
          from pg_constraint where conrelid = whole.oid and contype in ('p', 'u')
        union all
        select 2, pg_get_indexdef(i.indexrelid) from pg_index i
         where i.indrelid = whole.oid and not exists (select from pg_constraint where conindid = i.indexrelid)
        union all
        select 3, pg_get_triggerdef(oid) from pg_trigger where tgrelid = whole.oid and not tgisinternal
        union all
        select 4, format('revoke all on public.%I from %I', whole.name, pg_get_userbyid(relowner)) from pg_class
         where oid = whole.oid and relacl is not null
        union all
        select 5, format('grant %s on public.%I to %s', privilege_type, whole.name,
          case grantee when 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end)
          from pg_class, aclexplode(relacl) where oid = whole.oid
      ) as parts;
    execute format('alter table public.%I set schema whole', whole.name);
    execute format('create table public.%I (like whole.%1$I including defaults including constraints including identity
      including generated including storage including comments) partition by hash (tenant_id)', whole.name);
    for part in 0..${partitions - 1} loop
      execute format('create table public.%I partition of public.%I for values with (modulus ${partitions}, remainder %s)%s',
        whole.name || '_p' || part, whole.name, part, ' with (' || array_to_string(whole.options, ', ') || ')');
    end loop;
    execute format('insert into public.%I overriding system value select * from whole.%1$I', whole.name);
    foreach again in array made loop
      execute again;
    end loop;
  end loop;
  drop schema whole cascade;
end $$`
