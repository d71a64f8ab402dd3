import assert from 'node:assert/strict'
import test from 'node:test'
import { readEvents, type ServerEvent } from './sse.ts'

async function read(...pieces: readonly (string | Uint8Array)[]): Promise<ServerEvent[]> {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece)
      controller.close()
    },
  })
  const events: ServerEvent[] = []
  for await (const event of readEvents(body, () => {})) events.push(event)
  return events
}

const one = [{ id: '7', data: '{"a":1}' }]

test('lines end as the standard lets them, wherever the pieces are cut', async () => {
  for (const end of ['\n', '\r', '\r\n']) {
    const text = `: hello${end}id: 7${end}data: {"a":1}${end}${end}: after${end}`
    assert.deepEqual(await read(text), one)
    assert.deepEqual(await read(...text), one, `one character at a time, ${JSON.stringify(end)}`)
  }
})

test('letters of several bytes may be torn apart; a mark at the beginning and odd line separators do no harm', async () => {
  const said = 'გამარჯობა \u2028 😀'
  const bytes = new TextEncoder().encode(`\ufeffdata: ${said}\n\n`)
  assert.deepEqual(await read(...Array.from(bytes, (byte) => Uint8Array.of(byte))), [{ id: '', data: said }])
})

test('several lines of data are one text, the last id stays, what was cut off does not count', async () => {
  assert.deepEqual(await read('id: 1\ndata: a\ndata:b\n\nevent: x\ndata: c\n\n\n\ndata: never'), [
    { id: '1', data: 'a\nb' },
    { id: '1', data: 'c' },
  ])
})

test('whoever stops reading lets go of the connection', async () => {
  let gone = false
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('data: x\n\n')),
    cancel() {
      gone = true
    },
  })
  for await (const { data } of readEvents(body, () => {})) {
    assert.equal(data, 'x')
    break
  }
  assert.ok(gone)
})
