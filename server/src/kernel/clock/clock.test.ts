import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock, unixSeconds } from './index.ts'

test('the system clock tells the time and waits', async () => {
  const before = Date.now()
  await systemClock.wait(20)
  const now = systemClock.now()
  assert.ok(now >= before + 19 && now < before + 5000)
})

test('a wait ends with its signal, also one that was aborted before', async () => {
  const stop = new AbortController()
  const wait = systemClock.wait(60_000, stop.signal)
  stop.abort()
  await assert.rejects(wait, { name: 'AbortError' })
  await assert.rejects(systemClock.wait(60_000, stop.signal), { name: 'AbortError' })
})

test('a wait of months does not wrap round to a millisecond', async () => {
  const stop = new AbortController()
  let ended = false
  const wait = systemClock.wait(2 ** 32, stop.signal).then(() => {
    ended = true
  })
  await systemClock.wait(30)
  assert.equal(ended, false)
  stop.abort()
  await assert.rejects(wait, { name: 'AbortError' })
})

test('seconds are whole, and the one that has begun', () => {
  assert.equal(unixSeconds(1999), 1)
  assert.equal(unixSeconds(2000), 2)
})
