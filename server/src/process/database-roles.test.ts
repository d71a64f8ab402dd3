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
import { type Database, openDatabase, unlisted } from '../foundation/db/index.ts'

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
  execFileSync('sh', [SCRIPT], {
    env: { PATH, PGHOST: hostname, PGPORT: port, POSTGRES_USER: username, POSTGRES_DB: name, ...PASSWORDS },
    stdio: 'pipe',
  })
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
    await low.close()
    await db.script(`begin; select set_config('tether.erasing_tenant', '7', true); delete from audit_archives; commit`)
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
