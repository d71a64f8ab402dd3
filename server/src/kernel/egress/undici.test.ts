import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import test from 'node:test'
import { get, httpServer, openCalls, summaryOf } from './fixtures/servers.ts'

test('the first call of a process has all of its time, however long undici takes to load', async (t) => {
  const { port } = await httpServer(t, (_request, response) => response.end('{}'))
  let loads = 0
  const hooks = registerHooks({
    load(url, context, next) {
      if (!url.endsWith('/undici.ts')) return next(url, context)
      loads++
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3000)
      return next(url, context)
    },
  })
  t.after(() => hooks.deregister())
  const result = await get(openCalls(t), `http://shop.com:${port}/`, { deadlineMs: 2000 })
  assert.equal(loads, 1)
  assert.ok(result.kind === 'answer', summaryOf(result))
})
