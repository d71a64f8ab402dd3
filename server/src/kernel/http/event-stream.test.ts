import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import test, { type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type ServerEvent, writeEvents } from './event-stream.ts'

/** A server that answers every request with what `events` makes. */
async function serving(
  t: TestContext,
  events: (response: ServerResponse) => AsyncIterable<ServerEvent>,
  beatMs?: number,
) {
  const ended: unknown[] = []
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    writeEvents(response, events(response), beatMs).then(
      () => ended.push('ended'),
      (error) => ended.push(error),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, port, ended }
}

test('events go out as they come, each with its id', async (t) => {
  const { url, ended } = await serving(t, async function* () {
    yield { id: '1', data: 'one' }
    yield { data: 'two' }
  })
  assert.equal(await (await fetch(url)).text(), 'id: 1\ndata: one\n\ndata: two\n\n')
  assert.deepEqual(ended, ['ended'])
})

test('a line that is silent for long gets comments, and one that is not gets none', async (t) => {
  const { url } = await serving(
    t,
    async function* () {
      yield { data: 'one' }
      // Each wait is longer than the silence, and a machine that is late makes up at least one comment of it.
      for (let waits = 0; waits < 3; waits++) await pause(60)
      yield { data: 'two' }
    },
    40,
  )
  const text = await (await fetch(url)).text()
  assert.ok((text.match(/^: still here$/gm) ?? []).length >= 2, text)
  assert.match(text, /^data: one\n\n: still here[\s\S]*data: two\n\n$/)
  const busy = await serving(
    t,
    async function* () {
      for (let index = 0; index < 25; index++) {
        yield { data: String(index) }
        await pause(100)
      }
    },
    2000,
  )
  assert.ok(!(await (await fetch(busy.url)).text()).includes(': still'))
})

test('a reader that is slow holds the source, and one that leaves ends it', async (t) => {
  let made = 0
  let finished = false
  const { port, ended } = await serving(t, async function* () {
    try {
      for (;;) {
        made++
        yield { data: 'x'.repeat(100_000) }
      }
    } finally {
      finished = true
    }
  })
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  for (let before = -1; made === 0 || made !== before; ) {
    before = made
    await pause(100)
  }
  assert.ok(made < 200, `${made} events for nobody who reads`)
  assert.equal(finished, false)
  socket.destroy()
  for (let attempt = 0; !finished && attempt < 6_000; attempt++) await pause(10)
  assert.ok(finished)
  assert.deepEqual(ended, ['ended'])
})

test('a source that fails ends the answer, and whoever serves it hears of it', async (t) => {
  const { url, ended } = await serving(t, async function* () {
    yield { data: 'one' }
    throw new Error('broken')
  })
  assert.equal(await (await fetch(url)).text(), 'data: one\n\n')
  assert.match(String(ended[0]), /broken/)
})
