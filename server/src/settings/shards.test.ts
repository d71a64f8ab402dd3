import assert from 'node:assert/strict'
import test from 'node:test'
import { describeSettings } from './describe.ts'
import { readShards } from './index.ts'
import { load } from './testing.ts'

const URL_ONE = 'postgres://me:secret-one@db-one/tether'
const SHARDS =
  'two=postgres://me:secret-two@db-two:5433/tether  three=postgres://me:secret-three@a,b/tether three:listen=postgres://me:x@c/tether'

test('further databases have names, and may have a way past a pooler', () => {
  const loaded = load({ DATABASE_URL: URL_ONE, Database__Shards: SHARDS, Database__NewTenants: 'three' })
  assert.ok(loaded.ok, JSON.stringify(loaded))
  assert.deepEqual(readShards(loaded.settings.database.shards), [
    { name: 'two', url: 'postgres://me:secret-two@db-two:5433/tether' },
    { name: 'three', url: 'postgres://me:secret-three@a,b/tether', listenUrl: 'postgres://me:x@c/tether' },
  ])
  assert.deepEqual(readShards(undefined), [])
})

test('their passwords are in no description, and the log masks each', () => {
  const loaded = load({ DATABASE_URL: URL_ONE, Database__Shards: SHARDS })
  const text = describeSettings(loaded)
  assert.match(text, /two=postgres:\/\/me:\*\*\*@db-two:5433\/tether three=postgres:\/\/me:\*\*\*@a,b\/tether/)
  assert.doesNotMatch(text, /secret-/)
  assert.ok(loaded.ok)
  for (const secret of ['secret-one', 'secret-two', 'secret-three']) assert.ok(loaded.secrets.includes(secret), secret)
})

test('what is no list of databases is refused, as are one without a first and a place for new tenants that is none', () => {
  for (const list of [
    'postgres://me@db/x',
    'two=mysql://db/x',
    'first=postgres://db/x',
    'two=postgres://a/x two=postgres://b/x',
    'two:listen=postgres://a/x',
    'Two=postgres://a/x',
  ]) {
    const loaded = load({ DATABASE_URL: URL_ONE, Database__Shards: list })
    assert.ok(!loaded.ok && loaded.faults.some(({ setting }) => setting === 'Database:Shards'), list)
  }
  const faultsOf = (more: Record<string, string>) => {
    const loaded = load(more)
    return loaded.ok ? [] : loaded.faults.map(({ setting }) => setting)
  }
  assert.ok(faultsOf({ Database__Shards: 'two=postgres://a/x' }).includes('Database:Url'))
  assert.ok(faultsOf({ DATABASE_URL: URL_ONE, Database__NewTenants: 'two' }).includes('Database:NewTenants'))
  assert.deepEqual(
    faultsOf({ DATABASE_URL: URL_ONE, Database__Shards: 'two=postgres://a/x', Database__NewTenants: 'two' }),
    [],
  )
})
