import assert from 'node:assert/strict'
import test from 'node:test'
import { setImmediate as turned } from 'node:timers/promises'
import { openHouse } from '../../../testkit/house.ts'
import { openLastUsed } from './last-used.ts'

test('whoever flushes waits for what is being written, too', async () => {
  await using house = await openHouse()
  const { promise: written, resolve: write } = Promise.withResolvers<number>()
  const parts = house.app.house
  const lastUsed = openLastUsed({ ...parts, db: { ...parts.db, run: () => written } })
  lastUsed.note(Buffer.from('a key'), { tenantId: 1, lastUsedAt: null })
  // As the timer does, which waits for nothing.
  const begun = lastUsed.flush()
  let isOver = false
  const over = lastUsed.flush().then(() => {
    isOver = true
  })
  await turned()
  assert.equal(isOver, false)
  write(1)
  await Promise.all([begun, over])
})
