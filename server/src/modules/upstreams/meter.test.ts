// What an answer may hold, counted before anything reads it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meterOf, roomFor } from './meter.ts'

const roomy = (bytes = 10_000) => roomFor('It', { bytes, values: 1_000 })

/** What is said of a text, whole and byte by byte: it comes in pieces of any size. */
function said(text: string, { deepest = 4, isStream = false } = {}): string | null {
  const whole = meterOf({ room: roomy(), deepest, isStream })(Buffer.from(text))?.message ?? null
  const meter = meterOf({ room: roomy(), deepest, isStream })
  let piecewise: string | null = null
  for (const byte of Buffer.from(text)) piecewise ??= meter(Uint8Array.of(byte))?.message ?? null
  assert.equal(piecewise === null, whole === null, text)
  return whole
}

test('depth is counted outside of texts, over lines', () => {
  assert.equal(said('[[[["[[[[\\"[[[["]]]]'), null)
  assert.match(said('[[[[[1]]]]]') ?? '', /It is nested more than 4 levels deep/)
  assert.match(said('[\n[\r\n[\r[\n[') ?? '', /nested/)
  assert.equal(said('[[],[],[],[],[],[{"a":[]}]]'), null)
})

test('in a stream an event begins anew, and no other line hides how deep its data goes', () => {
  const isStream = true
  const event = 'event: message\nid: 1\ndata: {"a":[1,2]}\n\n'
  assert.equal(said(event.repeat(10), { isStream }), null)
  assert.equal(said(event.replaceAll('\n', '\r\n').repeat(10), { isStream }), null)
  for (const hiding of [': ]]]]\n', 'id: ]]]]\r\n', 'datas: ]]]]\r', ': "\n', ' ]]]]\n'])
    assert.match(said(`data: [[[\n${hiding}data: [[[\n\n`, { isStream }) ?? '', /nested/, hiding)
  assert.match(said('data: [[[\r\ndata: [[[\r\n\r\n', { isStream }) ?? '', /nested/)
  assert.match(said('\ufeffdata: [[[[[', { isStream }) ?? '', /nested/)
})

test('bytes and values are counted over all answers that share a room', () => {
  assert.match(said(`[${'1,'.repeat(1_000)}1]`) ?? '', /more than 1000 values/)
  assert.equal(said(`"${','.repeat(1_001)}"`), null)
  assert.match(said('x'.repeat(10_001)) ?? '', /more than 10000 bytes/)
  const room = roomy(30)
  const page = () => meterOf({ room, deepest: 4, isStream: false })(Buffer.from('[1,2,3,4,5,6]'))
  assert.deepEqual(
    [page(), page(), page()?.message],
    [null, null, 'It is more than 30 bytes, and was not read to its end. Let the server say less.'],
  )
})
