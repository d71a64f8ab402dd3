// A body that comes later than its head: who is asking is asked again, and not for ever.
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import test, { type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { type Held, hold } from '../../../testkit/held-request.ts'
import type { Endpoint } from './endpoint.ts'
import { refuse } from './refusal.ts'
import { openServer } from './server.ts'

type Opened = {
  readonly asked: string[]
  hold(bodyLength?: number): Promise<Held>
  /** Waits until the head was let in. */
  letIn(): Promise<void>
  hasConnections(): Promise<boolean>
}

async function opened(t: TestContext, more: Partial<Endpoint> = {}): Promise<Opened> {
  const asked: string[] = []
  const endpoint: Endpoint = {
    method: 'POST',
    path: '/orders',
    bodyLimit: 1_000_000,
    bodyMs: 60_000,
    answerBytes: 0,
    admit: async () => {
      asked.push('admitted')
      // As long as a look at a database takes, at least.
      await new Promise((resolve) => setImmediate(resolve))
      return 'at the head'
    },
    readmit: async () => {
      asked.push('admitted again')
      return 'at the end of the body'
    },
    check: () => {},
    handle: async (admission) => ({ status: 200, body: { admission } }),
    ...more,
  }
  const server = openServer({
    endpoints: [endpoint],
    unmatched: async () => {
      throw refuse('not_found', 'There is nothing here.')
    },
    inFlight: { mostBytes: 64 * 1024 * 1024, mostLarge: 8 },
    newRequestId: () => 'req_1',
    parseJson: (text) => JSON.parse(text),
    onServed: () => {},
    onFailure: ({ error }) => assert.fail(String(error)),
    refusalOf: () => undefined,
    https: false,
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
  t.after(() => server.close())
  const { port } = server.server.address() as AddressInfo
  const body = (length: number) => JSON.stringify({ text: 'x'.repeat(length) })
  const letIn = async () => {
    for (let turn = 0; asked.length === 0 && turn < 30_000; turn++)
      await new Promise((resolve) => setTimeout(resolve, 2))
    assert.deepEqual(asked, ['admitted'])
  }
  const hasConnections = async () => (await promisify(server.server.getConnections.bind(server.server))()) !== 0
  return {
    asked,
    letIn,
    hasConnections,
    hold: (length = 10) =>
      hold({ port, method: more.method ?? 'POST', path: '/orders', body: length === 0 ? '' : body(length) }),
  }
}

test('a body that comes with its head costs no second look', async (t) => {
  const { asked, hold } = await opened(t)
  const held = await hold()
  const { body } = await held.sendWhole()
  assert.deepEqual([body, asked], [{ admission: 'at the head' }, ['admitted']])
})

test('a body that comes later is served as whoever asks by then', async (t) => {
  const { asked, hold, letIn } = await opened(t)
  const held = await hold()
  await held.sendHead(1)
  await letIn()
  const { body } = await held.sendRest()
  assert.deepEqual([body, asked], [{ admission: 'at the end of the body' }, ['admitted', 'admitted again']])
})

test('whoever is refused by the end of their body is answered so, and nothing is handled', async (t) => {
  const { hold, letIn } = await opened(t, {
    readmit: async () => {
      throw refuse('invalid_api_key', 'This key is not valid.')
    },
    handle: async () => assert.fail('it was handled'),
  })
  const held = await hold()
  await held.sendHead(1)
  await letIn()
  const { status, body } = await held.sendRest()
  assert.deepEqual([status, (body as { error: { code: string } }).error.code], [401, 'invalid_api_key'])
})

test('a body that does not come is waited for no longer than its route allows, and the connection ends', async (t) => {
  const { hold } = await opened(t, { bodyMs: 100, handle: async () => assert.fail('it was handled') })
  for (const bytes of [0, 5]) {
    const held = await hold()
    await held.sendHead(bytes)
    const { status, body, closed } = await held.answer()
    const { code, message } = (body as { error: { code: string; message: string } }).error
    assert.deepEqual([status, code], [400, 'invalid_request'])
    assert.match(message, /did not arrive within 0\.1 s/)
    await closed
  }
})

test('a body that comes in time, piece by piece, is not cut off', async (t) => {
  const { hold } = await opened(t, { bodyMs: 60_000 })
  const held = await hold(200_000)
  await held.sendHead(1)
  for (let piece = 0; piece < 5; piece++) {
    await held.sendMore(20_000)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  assert.equal((await held.sendRest()).status, 200)
})

test('whoever left while they were let in is known to have left when their request is handled', async (t) => {
  const [asked, left, handled] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
    Promise.withResolvers<boolean>(),
  ]
  const { hold, hasConnections } = await opened(t, {
    method: 'GET',
    admit: async () => {
      asked.resolve()
      await left.promise
      return 'let in'
    },
    handle: async (_admission, { signal }) => {
      handled.resolve(signal.aborted)
      return { status: 200, body: {} }
    },
  })
  const held = await hold(0)
  held.sendWhole().catch(() => {})
  await asked.promise
  await held.leave()
  while (await hasConnections()) await new Promise((resolve) => setTimeout(resolve, 2))
  left.resolve()
  assert.equal(await handled.promise, true)
})
