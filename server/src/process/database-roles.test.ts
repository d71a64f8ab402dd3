// The roles of compose.yaml: what `deploy/database-roles.sh` makes of a database, with the service on it.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test from 'node:test'
import { freshDatabase } from '../../testkit/database.ts'
import { testSettings } from '../../testkit/house.ts'
import { openRunningDemo } from '../../testkit/running-demo.ts'
import { type Database, openDatabase, sqlState, unlisted } from '../kernel/db/index.ts'
import { verifyChain } from '../writes/audit/index.ts'

const ROOT = path.join(import.meta.dirname, '../../..')
const SCRIPT = path.join(ROOT, 'deploy/database-roles.sh')
const PASSWORDS = { OWNER_PASSWORD: "owner's", SERVICE_PASSWORD: 'service"s' }

const clients = globSync('/usr/lib/postgresql/*/bin/psql').sort()
const server = process.env.TEST_DATABASE_URL ?? ''
const psql = clients.at(-1)
const why = server === '' ? 'needs a server' : psql === undefined ? 'needs psql' : false

const forgetFrames = unlisted<{ forgotten: number }>('test.forget_frames', 'select forget_turn_frames(60) as forgotten')

test('the service does all its work with a role that can change no table', { skip: why }, async () => {
  const fresh = await freshDatabase()
  const { hostname, port, username, pathname } = new URL(fresh.url ?? '')
  const name = pathname.slice(1)
  const db = fresh.database
  // An empty one, as the image of PostgreSQL gives it to the script.
  await db.script('drop schema public cascade; create schema public')
  const folder = path.dirname(psql ?? '')
  const PATH = `${folder}:${process.env.PATH}`
  const make = (passwords: Record<string, string>) =>
    execFileSync('sh', [SCRIPT], {
      env: { PATH, PGHOST: hostname, PGPORT: port, POSTGRES_USER: username, POSTGRES_DB: name, ...passwords },
      stdio: 'pipe',
    })
  make(PASSWORDS)
  const readPasswords = unlisted<{ hash: string }>(
    'test.read_passwords',
    `select coalesce(rolpassword, '') as hash from pg_authid where rolname in ('tether_owner', 'tether_service') order by rolname`,
  )
  const made = await db.rows(readPasswords)
  // A second database on the same server has the roles already, which go on with the passwords that they have.
  make({ OWNER_PASSWORD: 'other', SERVICE_PASSWORD: 'other' })
  assert.deepEqual(await db.rows(readPasswords), made)
  const as = (role: string, password: string) =>
    `postgres://${role}:${encodeURIComponent(password)}@${hostname}:${port}/${name}`
  const service = as('tether_service', PASSWORDS.SERVICE_PASSWORD)
  try {
    const owner = as('tether_owner', PASSWORDS.OWNER_PASSWORD)
    const migrateAs = (url: string) =>
      spawnSync(process.execPath, ['server/start.mjs', 'migrate'], {
        cwd: ROOT,
        env: { PATH, DATABASE_URL: url, Database__DataDirectory: '/nonexistent', Encryption__Key: KEY },
        encoding: 'utf8',
      })
    const refused = migrateAs(service)
    assert.equal(refused.status, 1)
    assert.match(refused.stderr, /permission denied .* Migrations take the role that owns the tables: set DATABASE_URL/)
    const migrated = migrateAs(owner)
    assert.equal(migrated.status, 0, migrated.stderr + migrated.stdout)
    await workOn(service)
    await archiveAs({ owner, service, db })
    await tryToChange(service)
    await attackTrail(service, db)
  } finally {
    for (const step of [
      'reassign owned by tether_owner to current_user',
      'drop owned by tether_owner',
      'drop owned by tether_service',
      'drop role tether_owner, tether_service',
    ]) {
      await db.script(step)
    }
    await fresh.close()
  }
})

const KEY = Buffer.alloc(32, 7).toString('base64')

test('no password stands in the command line of a program', () => {
  const script = readFileSync(SCRIPT, 'utf8')
  const commands = script.replaceAll('\\\n', ' ').split('\n')
  assert.deepEqual(
    commands.filter((line) => /^psql\b.*PASSWORD/.test(line)),
    [],
  )
  assert.match(script, /\\set service_password `printenv SERVICE_PASSWORD`/)
})

test('compose.yaml makes those roles, uses the smaller one, and says whom it trusts about an address', () => {
  const compose = readFileSync(path.join(ROOT, 'compose.yaml'), 'utf8')
  assert.match(compose, /postgres:\/\/tether_service:.*\n(?:.*\n)*.*services:/)
  assert.match(compose, /migrate:\n(?:.*\n)*?.*postgres:\/\/tether_owner:/)
  assert.match(compose, /\.\/deploy\/database-roles\.sh:\/docker-entrypoint-initdb\.d\//)
  assert.doesNotMatch(compose, /POSTGRES_USER/)
  assert.match(compose, /Forwarding__KnownProxies: \$\{KNOWN_PROXIES:-\}/)
  // What an unset variable becomes there.
  assert.deepEqual(testSettings({ 'Forwarding:KnownProxies': '' }).forwarding.knownProxies, [])
})

/** From the first workspace to its end. */
async function workOn(url: string): Promise<void> {
  await using demo = await openRunningDemo({ DATABASE_URL: url })
  const actionId = await demo.stage('refund_order', { number: 'A-17' })
  const headers = {
    'x-api-key': await demo.issueKey(),
    'x-service-user-id': '1',
    'content-type': 'application/json',
  }
  const done = await fetch(`${demo.url}/v1/actions/${actionId}/confirm`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ acknowledgeHighRisk: true }),
  })
  assert.equal(((await done.json()) as { status: string }).status, 'Executed')
  const { name: workspace } = (await (await fetch(`${demo.url}/v1/account`, { headers })).json()) as {
    name: string
  }
  const gone = await fetch(`${demo.url}/v1/account`, {
    method: 'DELETE',
    headers,
    body: JSON.stringify({ confirm: workspace }),
  })
  assert.equal(gone.status, 200, await gone.text())
}

const ofLongAgo = `insert into tenants (tenant_id) values (7);
  alter table audit_events disable trigger audit_append;
  insert into audit_events (tenant_id, id, occurred_at, event, source, hash) values (7, 1, '2020-01-01', 'executed', 'x',
    encode(sha256(convert_to(json_build_array(repeat('0', 64), 7, 1, '2020-01-01T00:00:00.000Z', null, null, 'executed', 0, 'x',
      null, null, null, null)::text, 'UTF8')), 'hex'));
  alter table audit_events enable trigger audit_append;
  alter table audit_heads disable trigger user;
  insert into audit_heads (tenant_id, last_id, last_at, last_hash) select 7, 1, occurred_at, hash from audit_events where tenant_id = 7;
  alter table audit_heads enable trigger user`

/** The owner takes a month out of the trail; the service neither says that it is in a file nor takes it out. */
async function archiveAs({ owner, service, db }: { owner: string; service: string; db: Database }): Promise<void> {
  await db.script(ofLongAgo)
  const folder = mkdtempSync(path.join(tmpdir(), 'tether-archive-'))
  const archive = (url: string) =>
    spawnSync(process.execPath, ['server/start.mjs', 'audit-archive', folder], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, DATABASE_URL: url, Encryption__Key: KEY },
      encoding: 'utf8',
    })
  try {
    const refused = archive(service)
    assert.equal(refused.status, 2, refused.stdout)
    assert.match(refused.stderr, /Run it with the role that owns the tables/)
    const low = await openDatabase({
      at: { url: service, poolSize: 1, prepared: false },
      statementTimeoutMs: 10_000,
      warn,
    })
    const insert = `insert into audit_archives select 7, 1, 1, '2020-01-01', repeat('0', 64), hash, occurred_at, 'x', 'x', now()
      from audit_events where tenant_id = 7`
    await assert.rejects(low.script(insert), /only the owner of the trail/)
    await db.script(insert)
    const take = `select set_config('tether.archiving_tenant', '7', false); delete from audit_events where tenant_id = 7`
    await assert.rejects(low.script(take), /never changed or deleted/)
    const erase = (table: string) =>
      `select set_config('tether.erasing_tenant', '7', false); delete from ${table} where tenant_id = 7`
    for (const table of ['audit_archives', 'audit_events', 'audit_heads'])
      await assert.rejects(low.script(erase(table)), /never changed or deleted/, table)
    for (const change of [
      'delete from tenants',
      'update tenants set sandbox = true',
      'update tenants set tenant_id = 8',
    ])
      await assert.rejects(low.script(`${change} where tenant_id = 7`), /neither comes back nor changes its id/, change)
    await low.close()
    await db.script(`alter table audit_archives disable trigger user; delete from audit_archives;
      alter table audit_archives enable trigger user`)
    const archived = archive(owner)
    assert.equal(archived.status, 0, archived.stderr)
    assert.match(archived.stdout, /^7\/2020-01\.1-1\.jsonl: 1 event\nEvents archived: 1\. New files: 1\.$/m)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
const warn = () => undefined

async function tryToChange(url: string): Promise<void> {
  const low = await openDatabase({
    at: { url, poolSize: 1, prepared: false },
    statementTimeoutMs: 10_000,
    warn: () => {},
  })
  for (const forbidden of [
    'create table more (a int)',
    'drop table keys',
    'alter table audit_events disable trigger all',
    'truncate keys',
    'create role more',
    `alter role tether_service superuser`,
  ]) {
    await assert.rejects(low.script(forbidden), /must be|permission denied/, forbidden)
  }
  // What it may forget by emptying a table, it forgets in the name of the owner.
  await low.script(
    `insert into turn_frames (tenant_id, request_id, n, slot, at) values (1, 'req_1', 0, 0, now() - interval '1 hour')`,
  )
  assert.deepEqual(await low.rows(forgetFrames), [{ forgotten: 1 }])
  await low.close()
}

type Trail = { readonly events: string; readonly heads: string; readonly archives: string; readonly triggers: string }
const trailOf8 = unlisted<Trail>(
  'test.trail_of_8',
  `select (select json_agg(e order by id) from audit_events e where tenant_id = 8)::text as events,
          (select json_agg(h) from audit_heads h where tenant_id = 8)::text as heads,
          (select json_agg(a) from audit_archives a where tenant_id = 8)::text as archives,
          (select json_agg(concat(tgname, tgenabled) order by tgname) from pg_trigger
            where tgrelid in ('audit_events'::regclass, 'audit_heads'::regclass, 'audit_archives'::regclass, 'tenants'::regclass))::text
            as triggers`,
)
const definers = unlisted<{ name: string; settings: string[] }>(
  'test.security_definers',
  `select proname::text as name, proconfig as settings from pg_proc where prosecdef and pronamespace = 'public'::regnamespace`,
)

const TRAIL = ['audit_events', 'audit_heads', 'audit_archives']
const announced =
  "select set_config('tether.erasing_tenant', '8', false), set_config('tether.archiving_tenant', '8', false);"
/** What a stolen service would do to lose two of its events. */
const ATTACKS = TRAIL.flatMap((table) => [
  `update ${table} set tenant_id = 9 where tenant_id = 8`,
  `merge into ${table} t using (select 8 as id) s on t.tenant_id = s.id when matched then update set tenant_id = 9`,
  `delete from ${table} where tenant_id = 8`,
  `${announced} delete from ${table} where tenant_id = 8`,
  `do $$ begin perform set_config('tether.erasing_tenant', '8', true); delete from ${table} where tenant_id = 8; end $$`,
  `truncate ${table}`,
  `alter table ${table} disable trigger all`,
  `alter table ${table} owner to tether_service`,
  `drop table ${table} cascade`,
  `create trigger mine before delete on ${table} for each row execute function suppress_redundant_updates_trigger()`,
  `create rule mine as on delete to ${table} do instead nothing`,
]).concat(
  `insert into audit_heads (tenant_id, last_id, last_at, last_hash) values (8, 1, now(), 'x') on conflict (tenant_id) do update set last_id = 1`,
  `insert into audit_events (tenant_id, id, event, source) values (8, 1, 'failed', 'x') on conflict (tenant_id, id) do update set event = 'failed';
   update audit_events set event = 'failed' where tenant_id = 8`,
  'set session_replication_role = replica',
  'set role tether_owner',
  'set session authorization tether_owner',
  'create or replace function keep_audit() returns trigger language plpgsql as $$ begin return old; end $$',
  'drop function keep_audit_events() cascade',
  'alter function keep_audit() owner to tether_service',
  // A tenant that is gone for a moment only.
  `update tenants set deleted_at = now() where tenant_id = 8; ${announced} delete from audit_events where tenant_id = 8 and id = 1;
   update tenants set deleted_at = null where tenant_id = 8`,
  `update tenants set sandbox = true where tenant_id = 8; ${announced} delete from audit_events where tenant_id = 8`,
  `update tenants set tenant_id = 88 where tenant_id = 8; ${announced} delete from audit_events where tenant_id = 8`,
  `delete from tenants where tenant_id = 8; ${announced} delete from audit_events where tenant_id = 8`,
  // Announced where the rows are looked for already, and beside what makes it true.
  `delete from audit_events where tenant_id = 8 and id = 1 and set_config('tether.erasing_tenant', '8', true) = '8'`,
  `${announced} with gone as (delete from audit_events where tenant_id = 8 and id = 1 returning id),
     marked as (update tenants set deleted_at = now() where tenant_id = 8 returning tenant_id) select from gone, marked;
   update tenants set deleted_at = null where tenant_id = 8`,
  `create temporary table erased (tenant_id int, id bigint); ${announced} delete from audit_events where tenant_id = 8 and id = 1`,
  // A table of the session before the real one, where the operator left everybody that right.
  `create temporary table tenants (tenant_id int, deleted_at timestamptz, sandbox boolean); ${announced} delete from audit_events where tenant_id = 8`,
  `create temporary table pg_class as select oid, (select oid from pg_roles where rolname = current_user) as relowner from pg_catalog.pg_class;
   create temporary table audit_archives (tenant_id int, first_id bigint, last_id bigint); insert into audit_archives values (8, 1, 99);
   ${announced} delete from public.audit_events where tenant_id = 8`,
  `create temporary table pg_class as select oid, (select oid from pg_roles where rolname = current_user) as relowner from pg_catalog.pg_class;
   insert into audit_archives select 8, 2, 2, '2020-01-01', lag(hash) over (order by id), hash, occurred_at, 'x', 'x', now() from audit_events where tenant_id = 8 order by id desc limit 1`,
)

/** With more rights than the script gives: what stands between is then the database’s own rules and not the script’s care. */
async function attackTrail(url: string, db: Database): Promise<void> {
  const { pathname } = new URL(url)
  await db.script(
    `grant temporary on database ${pathname.slice(1)} to tether_service; grant truncate on ${TRAIL.join(', ')} to tether_service`,
  )
  const low = await openDatabase({ at: { url, poolSize: 1, prepared: false }, statementTimeoutMs: 10_000, warn })
  await low.script(`insert into tenants (tenant_id) values (8);
    insert into audit_events (tenant_id, event, source) values (8, 'proposed', 'x'), (8, 'executed', 'x')`)
  await db.script(`insert into audit_archives select 8, 1, 1, '2020-01-01', repeat('0', 64), hash, occurred_at, 'x', 'x', now()
    from audit_events where tenant_id = 8 and id = 1`)
  const before = await db.one(trailOf8)
  assert.ok(Object.values(before ?? {}).every((part) => part.length > 2))
  const succeeded: string[] = []
  for (const attack of ATTACKS) {
    const refused = await low.script(`begin; ${attack}; rollback`).then(() => 'no', sqlState)
    if (refused !== '42501') succeeded.push(`${refused}: ${attack}`)
    await low.script('rollback')
  }
  assert.deepEqual(succeeded, [])
  assert.deepEqual(await db.one(trailOf8), before)
  // One that forges where the trail stands is not refused, and forges nothing.
  await low.script(`begin; create temporary table audit_heads as select 8 as tenant_id, 40::bigint as last_id, now() - interval '1 year' as last_at,
    repeat('0', 64) as last_hash, current_date as day, '{}'::jsonb as counts; insert into audit_events (tenant_id, event, source) values (8, 'failed', 'x'); commit`)
  assert.equal((await verifyChain({ db }, 8, {})).ok, true)
  await throughDefiners(low, db)
  await low.close()
}

/** What runs in the name of the owner, whoever calls it. A new one has to be looked at here. */
async function throughDefiners(low: Database, db: Database): Promise<void> {
  assert.deepEqual(await low.rows(definers), [
    { name: 'forget_turn_frames', settings: ['search_path=public, pg_temp', 'lock_timeout=50ms'] },
  ])
  const before = await db.one(trailOf8)
  await low.script(
    `create temporary table turn_frames_0 (at timestamptz); set tether.erasing_tenant = '8'; select forget_turn_frames(-1e9)`,
  )
  assert.deepEqual(await db.one(trailOf8), before)
}
