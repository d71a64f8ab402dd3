import assert from 'node:assert/strict'
import test from 'node:test'
import { CROSSING_TRIGGERS, TABLES } from '../server/migrations/tables.ts'
import { type Database, unlisted } from '../server/src/kernel/db/index.ts'
import { freshDatabase } from '../server/testkit/database.ts'
import { crossingTriggers, type DatabaseFunction, type Trigger } from './crossing-triggers.ts'

// A partition has copies of its table's triggers.
const listTriggers = unlisted<Trigger>(
  'crossing_test.triggers',
  `select g.tgname::text as name, r.relname::text as on, p.proname::text as calls
     from pg_trigger g join pg_class r on r.oid = g.tgrelid join pg_proc p on p.oid = g.tgfoid
    where not g.tgisinternal and g.tgparentid = 0 and r.relnamespace = 'public'::regnamespace`,
)
const listFunctions = unlisted<DatabaseFunction>(
  'crossing_test.functions',
  `select p.proname::text as name, l.lanname::text as language, p.prosrc as body, pg_get_functiondef(p.oid) as definition
     from pg_proc p join pg_language l on l.oid = p.prolang
    where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'`,
)

const crossingIn = async (database: Database) =>
  crossingTriggers(await database.rows(listTriggers), await database.rows(listFunctions), TABLES)

test('tables.ts lists exactly the triggers that write a table of another owner', async (t) => {
  const { database, close } = await freshDatabase()
  t.after(close)
  const listed = Object.entries(CROSSING_TRIGGERS).map(([name, { on, writes }]) => ({
    name,
    on,
    writes: writes.toSorted(),
  }))
  assert.deepEqual(
    await crossingIn(database),
    listed.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
  )
})

test('finds writes in called functions, in subqueries and in dynamic SQL', async (t) => {
  const { database, close } = await freshDatabase()
  t.after(close)
  const before = await crossingIn(database)
  await database.script(`
    create function note_deeper() returns void language sql as $$ delete from outbox where tenant_id = 0 $$;
    create function note_deep() returns void language plpgsql as $$
    begin
      with gone as (delete from mails where tenant_id = 0 returning tenant_id) insert into confirm_keys select from gone;
      perform note_deeper();
    end $$;
    create function note_call() returns trigger language plpgsql as $$
    declare found_one boolean;
    begin
      found_one := note_deep() is null;
      return null;
    end $$;
    create function note_dynamic() returns trigger language plpgsql as $$
    begin
      execute 'delete from mails';
      return null;
    end $$;
    create function note_own() returns trigger language plpgsql as $$
    begin
      update actions set title = '' where tenant_id = 0;
      return null;
    end $$;
    create trigger a_called after insert on actions for each row execute function note_call();
    create trigger a_dynamic after insert on actions for each row execute function note_dynamic();
    create trigger a_own after insert on actions for each row execute function note_own();`)
  assert.deepEqual(await crossingIn(database), [
    // The owner of `actions` also owns `confirm_keys`.
    { name: 'a_called', on: 'actions', writes: ['mails', 'outbox'] },
    { name: 'a_dynamic', on: 'actions', writes: ['dynamic SQL'] },
    ...before,
  ])
})
