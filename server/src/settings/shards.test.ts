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
  for (const [list, why] of [
    ['postgres://me:secret@db/x', 'An address has no name. Write it as two=postgres://….'],
    ['postgres://me:secret@db/x?sslmode=require', 'An address has no name. Write it as two=postgres://….'],
    ['two=mysql://me:secret@db/x', 'The address of "two" is not one that starts with'],
    ['first=postgres://db/x', '"first" is the database of Database:Url. Give this one another name.'],
    ['two=postgres://a/x two=postgres://b/x', '"two" is there twice.'],
    ['two=postgres://a/x two:listen=postgres://a/x two:listen=postgres://b/x', '"two:listen" is there twice.'],
    ['two:listen=postgres://a/x', '"two:listen" is there, and "two" is not.'],
    ['Two=postgres://me:secret@a/x', '"Two" is not a name that a database can have. Take lower-case letters'],
    ['db-two=postgres://me:secret@a/x', '"db-two" is not a name that a database can have.'],
    [
      'two=postgres://me:secret@a/x,three=postgres://b/x',
      'After the address of "two" comes a comma. Put a space there.',
    ],
  ] as const) {
    const loaded = load({ DATABASE_URL: URL_ONE, Database__Shards: list })
    const fault = loaded.ok ? undefined : loaded.faults.find(({ setting }) => setting === 'Database:Shards')
    const said = fault?.message ?? ''
    assert.ok(said.includes(why), `${list}: ${said}`)
    assert.doesNotMatch(said, /secret/)
  }
  const misspelt = load({ DATABASE_URL: URL_ONE, Database__Shards: 'two=postgres://a/x', Database__NewTenants: 'tow' })
  assert.match(JSON.stringify(misspelt), /is \\"tow\\", which is none of the databases. Choose one of: first, two\./)
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
