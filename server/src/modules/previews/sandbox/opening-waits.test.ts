// The limits on new sandboxes: what counts toward each, and when it ends.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type FreshDatabase, freshDatabase } from '../../../../testkit/database.ts'
import { openingWaits } from './queries.ts'

let fresh: FreshDatabase
before(async () => {
  fresh = await freshDatabase()
})
after(() => fresh.close())

/** Replaces the recorded openings. Each has the hash of its caller and its age. */
async function openedBy(...openings: readonly (readonly [hash: string, age: string])[]): Promise<void> {
  const rows = openings.map(([hash, age]) => `('${hash}', now() - interval '${age}')`)
  await fresh.database.script(`delete from sandbox_tally; insert into sandbox_tally (hash, at) values ${rows.join()}`)
}
const waits = async () => {
  const found = await fresh.database.one(openingWaits, { hash: 'own', mostInAll: 3, mostOfCaller: 2 })
  return found ?? assert.fail()
}
const isNear = (seconds: number | null, expected: number) =>
  assert.ok(seconds !== null && Math.abs(seconds - expected) <= 60, `${seconds} and not ${expected}`)

test('a caller waits until the older of two sandboxes is a day old, whatever others open', async () => {
  await openedBy(['own', '23 hours'], ['own', '2 hours'], ['other', '2 hours'])
  isNear((await waits()).caller, 3_600)
  await openedBy(['own', '25 hours'], ['own', '2 hours'], ['other', '2 hours'], ['other', '3 hours'])
  assert.deepEqual(await waits(), { hour: null, caller: null })
})

test('all callers wait until the oldest of three sandboxes is an hour old', async () => {
  await openedBy(['other', '50 minutes'], ['third', '1 minute'], ['other', '1 minute'])
  isNear((await waits()).hour, 600)
  await openedBy(['other', '61 minutes'], ['third', '1 minute'], ['other', '1 minute'])
  assert.deepEqual(await waits(), { hour: null, caller: null })
})
