import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callOf, event, read, secret, signed, write } from './fixtures/sender.ts'
import {
  type Call,
  type Claims,
  memoryClaims,
  notApplied,
  notFound,
  receiver,
  refused,
  type TetherEvent,
  tryLater,
} from './index.ts'

const quiet = { secret, onError: () => undefined }

test('a read answers its result; nothing is "not found", and a fault is broken', async () => {
  const tools = receiver({
    ...quiet,
    tools: {
      get_order: ({ arguments: { number } }) => (number === 'A-1' ? { number, total: 48 } : undefined),
      get_parcel: () => notFound('There is no such parcel. · ასეთი გზავნილი არ არის.'),
      get_stock: () => {
        throw new Error('the password of the database is hunter2')
      },
      get_rate: () => {
        throw tryLater('The bank is closed.')
      },
    },
  })
  assert.deepEqual(await tools.answer(read('get_order', { number: 'A-1' })), {
    status: 200,
    body: '{"number":"A-1","total":48}',
  })
  assert.deepEqual(await tools.answer(read('get_order', { number: 'B' })), {
    status: 404,
    body: '{"status":"not_found","message":""}',
  })
  assert.deepEqual(await tools.answer(read('get_parcel', {})), {
    status: 404,
    body: '{"status":"not_found","message":"There is no such parcel. · ასეთი გზავნილი არ არის."}',
  })
  const broken = await tools.answer(read('get_stock', {}))
  assert.equal(broken.status, 500)
  assert.doesNotMatch(broken.body, /hunter2/)
  assert.equal((await tools.answer(read('get_rate', {}))).status, 429)
  const unknown = await tools.answer(read('get_moon', {}))
  assert.deepEqual([unknown.status, /no tool .*get_moon/.test(unknown.body)], [421, true])
})

test('what nobody signed, or is not what the service sends, reaches no tool', async () => {
  let calls = 0
  const tools = receiver({ ...quiet, tools: { get_order: () => ++calls }, events: { any: () => ++calls } })
  const good = read('get_order', {})
  assert.equal((await tools.answer(signed(String(good.body), 'whsec_c29tZWJvZHkgZWxzZQ=='))).status, 401)
  assert.equal((await tools.answer({ headers: {}, body: good.body })).status, 401)
  assert.equal((await tools.answer({ ...good, body: `${good.body} ` })).status, 401)
  for (const body of [
    '',
    'null',
    '[]',
    '7',
    '{"type":"tool_call"',
    '{}',
    // What is signed for an imported API has members of its caller's choice, and those of an envelope alone make a call.
    JSON.stringify({ type: 'tool_call', request_id: 'r', tool: 'get_order', arguments: {}, is_write: false }),
    ...[
      { arguments: null },
      { arguments: [] },
      { tenant: undefined },
      { user: undefined },
      { customer: undefined },
      { customer: {} },
      { occurred_at: undefined },
      { request_id: '' },
      { mode: undefined },
      { mode: 'execute' },
      { is_write: true },
      { is_write: 'no' },
      { is_write: undefined },
    ].map((wrong) => JSON.stringify(callOf('get_order', {}, wrong))),
    JSON.stringify({ type: 'event', event: 'action.executed', request_id: 'r' }),
    JSON.stringify({ type: 'endpoint_test', request_id: 'r' }),
  ])
    assert.equal((await tools.answer(signed(body))).status, 400, body)
  assert.deepEqual(await tools.answer(signed(JSON.stringify(callOf('test.ping', {}, { type: 'endpoint_test' })))), {
    status: 204,
    body: '',
  })
  assert.equal(calls, 0)
  assert.throws(() => receiver({ ...quiet, secret: undefined, tools: {} }), /"secret"/)
  assert.throws(() => receiver({ ...quiet, secret: ['', undefined], tools: {} }), /"secret"/)
  assert.throws(() => receiver({ ...quiet, secret: [secret, 'tth_pasted_by_mistake'], tools: {} }), /whsec_<base64>/)
})

test('what is known here to write runs under its claim or not at all, whatever a body says of it', async () => {
  let performed = 0
  const perform = () => ++performed
  const catalog = [{ name: 'refund_order', description: 'Pays it back.', is_write: true }] as const
  const receivers = [
    receiver({ ...quiet, catalog, tools: { refund_order: perform } }),
    receiver({ ...quiet, tools: { refund_order: { perform, recover: () => notApplied } } }),
  ]
  for (const tools of receivers) {
    const { status, body } = await tools.answer(read('refund_order', {}))
    assert.deepEqual([status, JSON.parse(body).status], [421, 'not_a_read'])
  }
  assert.equal(performed, 0)
  for (const tools of receivers) assert.equal((await tools.answer(write('refund_order', {}))).status, 200)
  assert.equal(performed, 2)
})

test('while a secret is rotated, both are good', async () => {
  const next = 'whsec_bmV4dCBzZWNyZXQgb2Ygb3Vycw=='
  const tools = receiver({ ...quiet, secret: [next, secret, undefined], tools: { get_order: () => 1 } })
  for (const key of [secret, next])
    assert.equal((await tools.answer(signed(JSON.stringify(callOf('get_order', {})), key))).status, 200)
})

test('a write is performed once, and each repetition gets the same bytes', async () => {
  let performed = 0
  const tools = receiver({
    ...quiet,
    tools: {
      refund_order: async ({ arguments: { number } }) => {
        await new Promise((resolve) => setTimeout(resolve, 20))
        return { number, times: ++performed }
      },
    },
  })
  const one = write('refund_order', { number: 'A-1' }, 'key-1')
  const answers = await Promise.all(Array.from({ length: 20 }, () => tools.answer(one)))
  assert.deepEqual(
    answers.map(({ status }) => status).filter((status) => status !== 409),
    [200],
    'one performs it, and the others are told that it runs',
  )
  assert.deepEqual(
    answers.find(({ status }) => status === 409),
    { status: 409, body: '{"status":"in_flight"}' },
  )
  assert.deepEqual(await tools.answer(one), { status: 200, body: '{"number":"A-1","times":1}' })
  // The key decides, whatever else it comes with.
  assert.deepEqual(await tools.answer(write('refund_order', { number: 'B-2' }, 'key-1')), await tools.answer(one))
  assert.equal(performed, 1)
})

test('a refusal is remembered, "try later" is not, and a fault leaves a claim that nobody performs again', async () => {
  const turns: string[] = []
  const faults: unknown[] = []
  const first = new Map<string, Error>([
    ['refuses', refused('It was paid out already.', 'conflict')],
    ['misses', notFound('There is no such order.')],
    ['waits', tryLater()],
    ['breaks', new Error('the line was cut')],
  ])
  const tools = receiver({
    secret,
    onError: (error) => faults.push(error),
    tools: {
      refund_order: ({ request_id }) => {
        turns.push(request_id)
        const error = first.get(request_id)
        first.delete(request_id)
        if (error !== undefined) throw error
        return { done: true }
      },
    },
  })
  const statuses = async (key: string) => {
    const one = write('refund_order', {}, key)
    return [(await tools.answer(one)).status, (await tools.answer(one)).status]
  }
  assert.deepEqual(await statuses('refuses'), [409, 409])
  assert.deepEqual(await statuses('misses'), [404, 404])
  assert.deepEqual(await statuses('waits'), [429, 200])
  assert.deepEqual(await statuses('breaks'), [500, 409])
  assert.deepEqual(await tools.answer(write('refund_order', {}, 'refuses')), {
    status: 409,
    body: '{"status":"conflict","message":"It was paid out already."}',
  })
  assert.deepEqual(turns, ['refuses', 'misses', 'waits', 'waits', 'breaks'])
  assert.deepEqual(faults.map(String), ['Error: the line was cut'])
  // A person looks into it, and the next reconcile hears what they found.
  assert.equal(await tools.settle('breaks', { status: 200, result: { done: 'by hand' } }), true)
  assert.equal(await tools.settle('breaks', { status: 200, result: {} }), false)
  assert.deepEqual(await tools.answer(write('refund_order', {}, 'breaks')), { status: 200, body: '{"done":"by hand"}' })
})

test('what broke is recovered by whoever can say what became of it', async () => {
  const paid = new Map<string, string>()
  let breaks = true
  const tools = receiver({
    ...quiet,
    tools: {
      refund_order: {
        perform: ({ request_id, arguments: { pays } }) => {
          if (pays === true || !breaks) paid.set(request_id, `paid ${paid.size + 1}`)
          if (breaks) throw new Error('the line was cut')
          return { by: 'perform', paid: paid.get(request_id) }
        },
        recover: ({ request_id }) =>
          paid.has(request_id) ? { by: 'recover', paid: paid.get(request_id) } : notApplied,
      },
    },
  })
  const [done, undone] = [write('refund_order', { pays: true }), write('refund_order', { pays: false })]
  assert.deepEqual([(await tools.answer(done)).status, (await tools.answer(undone)).status], [500, 500])
  breaks = false
  assert.equal((await tools.answer(done)).body, '{"by":"recover","paid":"paid 1"}')
  assert.equal((await tools.answer(undone)).body, '{"by":"perform","paid":"paid 2"}')
  assert.equal((await tools.answer(undone)).body, '{"by":"perform","paid":"paid 2"}')
  assert.equal(paid.size, 2)
})

test('a recovery that does not know yet leaves the claim as uncertain as it was', async () => {
  let performed = 0
  let recovery: () => unknown = () => {
    throw tryLater()
  }
  const tools = receiver({
    ...quiet,
    tools: {
      refund_order: {
        perform: () => {
          performed++
          throw new Error('the line was cut')
        },
        recover: () => recovery(),
      },
    },
  })
  const one = write('refund_order', {})
  assert.equal((await tools.answer(one)).status, 500)
  assert.equal((await tools.answer(one)).status, 429, 'it could not be looked up')
  recovery = () => {
    throw new Error('still broken')
  }
  assert.equal((await tools.answer(one)).status, 500)
  recovery = () => ({ found: true })
  assert.deepEqual(await tools.answer(one), { status: 200, body: '{"found":true}' })
  assert.equal(performed, 1, 'nobody performed it while its outcome was not known')
})

/** Memory whose verbs can be made to fail, before or after they took effect. */
function fragile(fails: Partial<Record<keyof Claims, 'before' | 'after'>>): Claims {
  const claims = memoryClaims()
  const verb =
    <Args extends unknown[], Result>(name: keyof Claims, work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      if (fails[name] === 'before') throw new Error(`${name} was not reached`)
      const result = await work(...args)
      if (fails[name] === 'after') throw new Error(`the answer of ${name} was lost`)
      return result
    }
  return {
    claim: verb('claim', claims.claim),
    answer: verb('answer', claims.answer),
    release: verb('release', claims.release),
    abandon: verb('abandon', claims.abandon),
  }
}

test('a store that is away before the claim lets nothing be performed, and one that loses its answer leaves no claim', async () => {
  for (const when of ['before', 'after'] as const) {
    const fails: Parameters<typeof fragile>[0] = { claim: when }
    let performed = 0
    const tools = receiver({ ...quiet, claims: fragile(fails), tools: { refund_order: () => ++performed } })
    const one = write('refund_order', {})
    assert.deepEqual([(await tools.answer(one)).status, performed], [429, 0])
    delete fails.claim
    assert.deepEqual([(await tools.answer(one)).status, performed], [200, 1], when)
  }
})

test('a store that cannot be told the answer does not make it untrue, and nobody performs it again', async () => {
  const fails: Parameters<typeof fragile>[0] = { answer: 'before' }
  let performed = 0
  const tools = receiver({ ...quiet, claims: fragile(fails), tools: { refund_order: () => ({ times: ++performed }) } })
  const one = write('refund_order', {})
  assert.deepEqual(await tools.answer(one), { status: 200, body: '{"times":1}' })
  assert.deepEqual((await tools.answer(one)).status, 409)
  assert.equal(performed, 1)
})

test('an event is taken once; one that could not be taken is taken when it comes again', async () => {
  const seen: TetherEvent[] = []
  let fails = true
  const tools = receiver({
    ...quiet,
    tools: {},
    events: {
      'action.executed': (one) => void seen.push(one),
      'action.rejected': () => {
        if (fails) throw new Error('the mail server is away')
        seen.push({} as TetherEvent)
      },
    },
  })
  const executed = event('action.executed', 'e-1', { reason: 'x' })
  assert.deepEqual(await tools.answer(executed), { status: 204, body: '' })
  assert.deepEqual(await tools.answer(executed), { status: 204, body: '' })
  assert.deepEqual(
    seen.map(({ event, reason, tool }) => [event, reason, tool]),
    [['action.executed', 'x', 'refund_order']],
  )
  const rejected = event('action.rejected', 'e-2')
  assert.equal((await tools.answer(rejected)).status, 429)
  fails = false
  assert.deepEqual([(await tools.answer(rejected)).status, seen.length], [204, 2])
  assert.equal((await tools.answer(event('conversation.handoff'))).status, 204, 'nobody asked for this one')
})

test('an event that is named like a member of every object is taken like any other that has no function of its own', async () => {
  const seen: string[] = []
  const tools = receiver({ ...quiet, tools: {}, events: { any: (one) => void seen.push(one.event) } })
  const names = ['constructor', 'toString', '__proto__', 'hasOwnProperty']
  for (const name of names) assert.deepEqual(await tools.answer(event(name)), { status: 204, body: '' }, name)
  assert.deepEqual(seen, names)
  const without = receiver({ ...quiet, tools: {}, events: {} })
  for (const name of names) assert.deepEqual(await without.answer(event(name)), { status: 204, body: '' }, name)
})

test('a tool that needs a transaction is refused where there is none, before anything is received', () => {
  const tools = { refund_order: { transaction: () => 1 } }
  assert.throws(() => receiver({ ...quiet, tools }), /"refund_order" needs a transaction/)
})

test('the catalog gives the arguments their types, and every tool its function', async () => {
  const catalog = [
    {
      name: 'get_order',
      description: 'Looks up one order.',
      is_write: false,
      parameters: {
        type: 'object',
        properties: {
          number: { type: 'string' },
          lines: {
            type: 'array',
            items: { type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'] },
          },
          state: { enum: ['paid', 'sent'] },
          page: { type: ['integer', 'null'] },
        },
        required: ['number'],
      },
    },
    { name: 'refund_order', description: 'Pays it back.', is_write: true },
  ] as const
  const tools = receiver({
    ...quiet,
    catalog,
    tools: {
      get_order: ({ arguments: { number, lines, state, page } }) => {
        // Each line compiles only if the type is this one and no wider.
        const exact: [
          string,
          readonly { readonly sku: string }[] | undefined,
          'paid' | 'sent' | undefined,
          number | null | undefined,
        ] = [number, lines, state, page]
        return number.toUpperCase() + exact.length
      },
      refund_order: (call: Call<Readonly<Record<string, never>>>) => call.tool,
    },
  })
  assert.equal((await tools.answer(read('get_order', { number: 'a' }))).body, '"A4"')
  const lacking: Record<string, unknown> = { get_order: () => 1 }
  assert.throws(() => receiver({ ...quiet, catalog, tools: lacking as never }), /lacks: refund_order/)
})
