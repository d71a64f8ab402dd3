// A fuzz that cannot fail proves nothing: here it meets routes that break every promise, and must tell of each.
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { z } from 'zod'
import { refuse } from '../src/kernel/http/index.ts'
import { MODULES } from '../src/modules.ts'
import { ANYONE, type Route, route } from '../src/tenancy/access/index.ts'
import { openHouse } from '../testkit/house.ts'
import { openJudge } from './fuzz/judge.ts'
import { memoryVerdict } from './fuzz/memory.ts'
import { type FuzzReport, fuzz } from './fuzz/run.ts'
import type { Shot } from './fuzz/shot.ts'

const probe = { reach: ANYONE, lane: 'none', group: 'Probe', summary: 'A trap', method: 'POST' } as const
const Text = z.object({ text: z.string() })
const Fine = { 200: { schema: z.object({ fine: z.literal(true) }) } }
const fine = { status: 200, body: { fine: true } }
const isOdd = (text: string) => !/^[\w .@]*$/.test(text)
const kept: Buffer[] = []

const traps: Route[] = [
  route({
    ...probe,
    path: '/trap/throws',
    body: z.object({ count: z.int() }),
    answers: Fine,
    handle: async (_ctx, { body }) => {
      if (body.count > 2_147_483_647) throw new Error('integer out of range')
      return fine
    },
  }),
  route({
    ...probe,
    path: '/trap/hangs',
    body: Text,
    answers: Fine,
    handle: async (_ctx, { body }) => (isOdd(body.text) ? await new Promise<never>(() => {}) : fine),
  }),
  route({
    ...probe,
    path: '/trap/shapes',
    body: Text,
    answers: Fine,
    handle: async (_ctx, { body }) => (isOdd(body.text) ? { status: 400, body: { error: 'bad' } } : fine),
  }),
  route({
    ...probe,
    path: '/trap/declares',
    body: Text,
    answers: Fine,
    handle: async (_ctx, { body }) => (isOdd(body.text) ? { status: 200, body: { fine: 'maybe' } } : fine),
  }),
  route({
    ...probe,
    path: '/trap/tells',
    body: Text,
    answers: Fine,
    handle: async (_ctx, { body }) => {
      if (isOdd(body.text)) throw refuse('invalid_request', String(new Error('inside').stack))
      return fine
    },
  }),
  route({
    ...probe,
    path: '/trap/keeps',
    body: Text,
    answers: Fine,
    handle: async () => {
      kept.push(Buffer.alloc(2 * 1024 * 1024, 1))
      return fine
    },
  }),
]

async function fuzzTraps(t: TestContext, requests: number, only: (path: string) => boolean): Promise<FuzzReport> {
  const house = await openHouse({ modules: MODULES, moreRoutes: traps, log: 'silent' })
  t.after(() => house.close())
  const address = await house.app.server.listen({ host: '127.0.0.1', port: 0 })
  return await fuzz(
    {
      port: Number(new URL(address).port),
      operatorKey: house.operatorKey,
      ask: house.ask,
      endpoint: 'http://127.0.0.1:8787/tools',
      residentBytes: () => process.memoryUsage().rss,
      insides: [],
    },
    { seed: 1, requests, parallel: 8, deadlineMs: 1500, only },
  )
}

test('a failure, a hang, a wrong shape and a word about the inside are noticed where they happen', async (t) => {
  const { found } = await fuzzTraps(t, 500, (path) => path.startsWith('/trap/') && path !== '/trap/keeps')
  const at = (path: string) => found.filter(({ where }) => where === `POST ${path}`).map(({ rule }) => rule)
  assert.ok(at('/trap/throws').includes('failure'))
  assert.ok(at('/trap/hangs').includes('hang'))
  assert.ok(at('/trap/shapes').includes('error body') || at('/trap/shapes').includes('not as declared'))
  assert.ok(at('/trap/declares').includes('not as declared'))
  assert.ok(at('/trap/tells').includes('leak'))
})

test('memory that is kept is noticed', async (t) => {
  const { memory } = await fuzzTraps(t, 240, (path) => path === '/trap/keeps')
  kept.splice(0)
  assert.ok(memoryVerdict(memory).grown > 64, JSON.stringify(memoryVerdict(memory)))
})

const shot: Shot = {
  index: 0,
  operation: { method: 'GET', path: '/v1/x', reach: ['secret'], parameters: [], body: undefined, codes: new Map() },
  method: 'GET',
  address: '/v1/x',
  isHttp: true,
  credential: { state: 'spoilt', kind: 'secret', workspace: { tenantId: 1, keys: {}, steps: {} }, slot: 0 },
  sending: { pieces: [], manner: 'one', head: false, reusable: true },
}
const judge = openJudge({
  reference: {
    declares: () => false,
    answerFault: () => undefined,
    at: (method, address) => (`${method} ${address}` === 'GET /v1/x' ? shot.operation : undefined),
  },
  insides: ['/srv/inside'],
})
const rulesOf = (status: number, body: string, changed: Partial<Shot> = {}, id = 'req_1') =>
  judge(
    { ...shot, ...changed },
    {
      answers: [
        {
          status,
          headers: new Map([
            ['x-request-id', [id]],
            ['content-type', ['application/json']],
          ]),
          body: Buffer.from(body),
        },
      ],
      end: 'answered',
      rest: Buffer.alloc(0),
      ms: 1,
    },
  ).map(({ rule }) => rule)

test('a key that should open nothing and does, is noticed', () => {
  const live = (kind: string) => ({ credential: { ...shot.credential, state: 'live' as const, kind } })
  assert.deepEqual(rulesOf(200, '{}'), ['opened'])
  assert.deepEqual(rulesOf(200, '{}', live('agent')), ['opened'])
  assert.deepEqual(rulesOf(200, '{}', live('secret')), [])
  assert.deepEqual(rulesOf(200, '{}', { address: '/health', credential: shot.credential }), [])
})

test('what an error must be is held code by code', () => {
  const error = (code: string, message = 'words') => JSON.stringify({ error: { code, message } })
  assert.deepEqual(rulesOf(401, error('invalid_api_key')), [])
  assert.deepEqual(rulesOf(403, error('invalid_api_key')), ['error body'])
  assert.deepEqual(rulesOf(400, error('no_such_code')), ['error body'])
  assert.deepEqual(rulesOf(400, error('toString')), ['error body'])
  assert.deepEqual(rulesOf(400, error('invalid_request', '')), ['error body'])
  assert.deepEqual(rulesOf(400, '{"error":"bad"}'), ['error body'])
  assert.deepEqual(rulesOf(401, error('invalid_api_key'), {}, ''), ['no request id'])
  assert.deepEqual(rulesOf(401, error('invalid_api_key', 'at /srv/inside/file')), ['leak'])
  assert.deepEqual(rulesOf(401, error('invalid_api_key', 'duplicate key value violates x')), ['leak'])
  assert.deepEqual(rulesOf(503, error('database_unavailable')), ['failure'])
})

test('a request that is HTTP is answered, and what is not may be hung up on', () => {
  const silence = { answers: [], end: 'closed', rest: Buffer.alloc(0), ms: 1 } as const
  assert.deepEqual(
    judge(shot, silence).map(({ rule }) => rule),
    ['no answer'],
  )
  assert.deepEqual(judge({ ...shot, isHttp: false }, silence), [])
  assert.deepEqual(
    judge({ ...shot, isHttp: false }, { ...silence, end: 'late' }).map(({ rule }) => rule),
    ['hang'],
  )
})
