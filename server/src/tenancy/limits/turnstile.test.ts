import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTurnstiles } from './index.ts'

test('each key has its own turnstile, and one that failed lets the next through', { timeout: 10_000 }, async () => {
  const through = openTurnstiles<string>(1)
  const order: string[] = []
  const { promise: held, reject: fail } = Promise.withResolvers<void>()
  const first = through('a', () => held)
  const second = through('a', async () => order.push('a'))
  await through('b', async () => order.push('b'))
  assert.deepEqual(order, ['b'])
  fail(new Error('broken'))
  await assert.rejects(first, /broken/)
  await second
  assert.deepEqual(order, ['b', 'a'])
})
