import assert from 'node:assert/strict'
import test from 'node:test'
import { timed } from '../../../testkit/stopwatch.ts'
import { statement } from '../../kernel/db/index.ts'
import { customer, listening, newShop, openTalk, readStream, stream, talk, until } from './fixtures/talk.ts'

openTalk()

const recordsOf = statement<
  { path: string; code: string | null; surface: string },
  { tenantId: number; requestId: string }
>(
  'test.records_of_streams',
  `select result_path as path, error_code as code, surface from turn_records
    where tenant_id = $tenantId::int and request_id = $requestId::text`,
)
const records = async (requestId: string) => {
  await talk.house.app.flush()
  return await talk.house.database.database.rows(recordsOf, { tenantId: talk.shop.tenantId, requestId })
}

test('a stream is numbered frames with one end, and the end is the whole answer', async () => {
  talk.model.play([{ call: 'get_order', with: { number: 'A' } }], ['On ', 'its way.'])
  const { status, headers, frames, ids } = await stream({ prompt: 'Where?' })
  assert.equal(status, 200)
  assert.match(String(headers['content-type']), /^text\/event-stream/)
  assert.match(String(headers['x-request-id']), /^req_/)
  assert.deepEqual(
    ids,
    ids.map((_, index) => index + 1),
  )
  assert.deepEqual(
    frames.map(({ type }) => type),
    ['start', 'status', 'status', 'status', 'tool', 'status', 'delta', 'delta', 'complete'],
  )
  const last = frames.at(-1)
  assert.ok(last?.type === 'complete')
  assert.deepEqual(last.blocks, [{ type: 'text', markdown: 'On its way.' }])
  assert.equal(last.requestId, headers['x-request-id'])
})

test('a reader that goes away stops the model within a second', async () => {
  const { model, shop } = talk
  const url = await listening()
  model.play(['Once', 'hang'])
  const before = model.stopped
  const leave = new AbortController()
  const response = await fetch(`${url}/v1/chat/stream`, {
    method: 'POST',
    headers: { 'x-api-key': shop.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'Tell me a story' }),
    signal: leave.signal,
  })
  const requestId = response.headers.get('x-request-id') ?? ''
  await until(() => model.playing === 1)
  leave.abort()
  const { ms } = await timed(() => until(() => model.stopped === before + 1))
  assert.ok(ms < 1000, `${ms} ms`)
  await until(async () => (await records(requestId)).length === 1)
  assert.deepEqual(await records(requestId), [{ path: 'canceled', code: 'CANCELED', surface: 'chat' }])
})

test('with resume a turn goes on without its reader, and the same caller reads the rest', async () => {
  const { model, shop } = talk
  const url = await listening()
  let played = false
  model.play(() => {
    played = true
    return ['One ', 'two ', 'three.']
  })
  const leave = new AbortController()
  const response = await fetch(`${url}/v1/chat/stream`, {
    method: 'POST',
    headers: { 'x-api-key': shop.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'Count', resume: true }),
    signal: leave.signal,
  })
  const requestId = response.headers.get('x-request-id') ?? ''
  leave.abort()
  await until(() => played && model.playing === 0)
  const again = await stream({ requestId }, { headers: { 'last-event-id': '2' } })
  assert.deepEqual(again.ids[0], 3)
  assert.equal(again.frames.at(-1)?.type, 'complete')
  const whole = await stream({ requestId })
  assert.equal(whole.ids[0], 1)
  assert.deepEqual(whole.frames.slice(2), again.frames)
  const ahead = await stream({ requestId }, { headers: { 'last-event-id': '999999' } })
  assert.deepEqual(ahead.frames, whole.frames)
  assert.equal((await records(requestId))[0]?.path, 'ok')

  const stranger = await newShop()
  assert.equal((await stream({ requestId }, { key: stranger.apiKey })).error?.code, 'turn_not_found')
  assert.equal((await stream({ requestId }, { headers: await customer('nino') })).error?.code, 'turn_not_found')
  const plain = await stream({ prompt: 'Hi' })
  const first = plain.frames[0]
  assert.equal(
    (await stream({ requestId: first?.type === 'start' ? first.requestId : '' })).error?.code,
    'turn_not_found',
  )
})

test('a turn that goes on without its reader can be stopped, by a word in the stream’s route or by its own', async () => {
  const { model, shop, house } = talk
  const url = await listening()
  for (const stop of [
    (requestId: string) => house.ask('POST', '/v1/chat/stream', { key: shop.apiKey, body: { requestId, stop: true } }),
    (requestId: string) => house.ask('DELETE', `/v1/chat/turns/${requestId}`, { key: shop.apiKey }),
  ]) {
    model.play(['One', 'hang'])
    const leave = new AbortController()
    const response = await fetch(`${url}/v1/chat/stream`, {
      method: 'POST',
      headers: { 'x-api-key': shop.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'Count', resume: true }),
      signal: leave.signal,
    })
    const requestId = response.headers.get('x-request-id') ?? ''
    await until(() => model.playing === 1)
    leave.abort()
    await new Promise((resolve) => setTimeout(resolve, 50))
    assert.equal(model.playing, 1, 'it goes on')
    assert.deepEqual((await stop(requestId)).body, { stopped: true, requestId })
    await until(() => model.playing === 0)
    const { frames } = await stream({ requestId })
    assert.deepEqual(frames.at(-1), { type: 'error', code: 'CANCELED', message: 'The turn was stopped.' })
    assert.deepEqual((await stop(requestId)).body, { stopped: false, requestId })
  }
  assert.equal(
    (await house.ask('DELETE', '/v1/chat/turns/req_nobody', { key: shop.apiKey })).error?.code,
    'turn_not_found',
  )
})

test('the frames of a stream come one by one, not at the end', async () => {
  const { model, shop } = talk
  const url = await listening()
  model.play(['First', 'hang'])
  const leave = new AbortController()
  const response = await fetch(`${url}/v1/chat/stream`, {
    method: 'POST',
    headers: { 'x-api-key': shop.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'Hi' }),
    signal: leave.signal,
  })
  let text = ''
  const reader = response.body?.getReader()
  while (!text.includes('First')) text += Buffer.from((await reader?.read())?.value ?? []).toString()
  assert.ok(readStream(text).frames.some((frame) => frame.type === 'delta'))
  leave.abort()
  await until(() => model.playing === 0)
})
