import assert from 'node:assert/strict'
import { connect } from 'node:net'
import test, { type TestContext } from 'node:test'
import { type BusinessOptions, openBusiness } from './pretend-business.ts'

async function business(t: TestContext, options?: BusinessOptions) {
  const opened = await openBusiness(options)
  t.after(() => opened.close())
  const call = (tool: string, requestId = 'r1', mode = 'execute', signal?: AbortSignal) =>
    fetch(opened.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-mine': 'yes' },
      body: JSON.stringify({ tool, request_id: requestId, mode, arguments: { a: 1 } }),
      redirect: 'manual',
      ...(signal === undefined ? {} : { signal }),
    })
  return { ...opened, call }
}

test('without a script a call is answered well and written down as it came', async (t) => {
  const { call, calls, callsTo, received } = await business(t)
  const answer = await call('get_order', 'r9', 'read')
  assert.deepEqual(await answer.json(), { ok: true, tool: 'get_order', arguments: { a: 1 } })
  await call('other')
  const [first] = await received(2)
  assert.deepEqual(
    calls.map(({ order, tool }) => [order, tool]),
    [
      [1, 'get_order'],
      [2, 'other'],
    ],
  )
  assert.equal(callsTo('other').length, 1)
  assert.equal(first?.headers['x-mine'], 'yes')
  assert.equal(first?.requestId, 'r9')
  assert.equal(
    first?.bytes.toString(),
    JSON.stringify({ tool: 'get_order', request_id: 'r9', mode: 'read', arguments: { a: 1 } }),
  )
  await assert.rejects(received(3, 20), /2 of 3 calls/)
})

test('steps are taken one by one, and the last one stays', async (t) => {
  const { call, script } = await business(t)
  script(
    'x',
    { do: 'answer', status: 503, body: { no: 1 } },
    { do: 'answer', status: 201, body: 'not JSON', headers: { 'x-a': 'b' } },
  )
  const statuses: number[] = []
  for (const id of ['1', '2', '3']) {
    const answer = await call('x', id, 'read')
    statuses.push(answer.status)
    if (id !== '1') assert.deepEqual([await answer.text(), answer.headers.get('x-a')], ['not JSON', 'b'])
  }
  assert.deepEqual(statuses, [503, 201, 201])
})

test('every kind of fault is one on the wire', async (t) => {
  const { call, script, calls } = await business(t)
  script('drop', { do: 'drop' })
  await assert.rejects(call('drop'), /fetch failed/)
  script('garbage', { do: 'garbage' })
  await assert.rejects(call('garbage'), /fetch failed/)
  script('reset', { do: 'reset' })
  const half = await call('reset')
  assert.equal(half.status, 200)
  await assert.rejects(half.text(), /terminated/)
  script('redirect', { do: 'redirect', to: 'http://127.0.0.1:1/', status: 307 })
  const moved = await call('redirect')
  assert.deepEqual([moved.status, moved.headers.get('location')], [307, 'http://127.0.0.1:1/'])
  script('drip', { do: 'drip', body: { drop: 'by drop' }, everyMs: 1 })
  assert.deepEqual(await (await call('drip')).json(), { drop: 'by drop' })
  script('hang', { do: 'hang' })
  await assert.rejects(call('hang', 'h', 'execute', AbortSignal.timeout(50)), { name: 'TimeoutError' })
  await calls.find(({ tool }) => tool === 'hang')?.gone
})

test('a write is performed once for each request id, and a replay gets the first answer', async (t) => {
  const { call, script, performed, books } = await business(t)
  script('pay', { do: 'answer', body: { receipt: 1 } }, { do: 'answer', body: { receipt: 2 } })
  assert.deepEqual(await (await call('pay', 'a')).json(), { receipt: 1 })
  assert.deepEqual(await (await call('pay', 'a')).json(), { receipt: 1 })
  assert.equal(performed('a'), 1)
  assert.equal(books().get('a')?.received, 2)
  script('pay', { do: 'answer', status: 422, body: {} }, { do: 'answer' })
  assert.equal((await call('pay', 'b')).status, 422)
  assert.equal(performed('b'), 0)
  assert.equal((await call('pay', 'b')).status, 200)
  assert.equal(performed('b'), 1)
  await call('pay', 'c', 'read')
  assert.equal(books().has('c'), false)
})

test('it can perform and then be gone, and knows so when it is asked again', async (t) => {
  const { call, script, performed } = await business(t)
  script('pay', { do: 'drop', perform: true }, { do: 'answer', status: 500 })
  await assert.rejects(call('pay', 'a'))
  assert.equal(performed('a'), 1)
  const again = await call('pay', 'a')
  assert.deepEqual([again.status, performed('a')], [200, 1])
})

test('a request id that is under way is not begun anew', async (t) => {
  const { call, script, performed } = await business(t)
  script('pay', { do: 'answer', delayMs: 100 })
  const answers = await Promise.all([call('pay', 'a'), call('pay', 'a')])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  assert.equal(performed('a'), 1)
})

test('a careless business performs whatever comes, so that a double call shows', async (t) => {
  const { call, performed } = await business(t, { careless: true })
  await call('pay', 'a')
  await call('pay', 'a')
  assert.equal(performed('a'), 2)
})

test('what is no JSON and no HTTP is written down or turned away, and does no harm', async (t) => {
  const { url, calls, call } = await business(t)
  const { port } = new URL(url)
  connect(Number(port), '127.0.0.1')
    .on('error', () => {})
    .end('NOT HTTP\r\n\r\n')
  await (await fetch(url, { method: 'POST', body: 'no JSON' })).text()
  assert.deepEqual([calls[0]?.body, calls[0]?.tool], [undefined, ''])
  assert.equal((await call('x')).status, 200)
})
