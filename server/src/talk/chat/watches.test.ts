// Open windows take memory and a line each, so there are only so many. A watch lasts longer here than any test.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import test from 'node:test'
import { listenTo } from '../../../testkit/statements.ts'
import { ask, listening, newShop, openTalk, page, talk, until } from './fixtures/talk.ts'

openTalk({
  settings: {
    'AI:Chat:WatchSeconds': '300',
    'AI:Chat:MaxWatchesPerConversation': '2',
    'AI:Chat:MaxWatchesPerTenant': '3',
  },
})

const visitor = async () => ({ key: await talk.house.key((await newShop()).tenantId, 'publishable'), headers: page })

async function begun(who: Awaited<ReturnType<typeof visitor>>): Promise<string | null> {
  talk.model.play(['Hello.'])
  return (await ask({ prompt: 'Hello' }, who)).body.sessionId
}

test('so many watches of one conversation, so many of one workspace, and each one that ends makes room', async (t) => {
  if (talk.house.instances > 1) return t.skip('each instance counts its own')
  const guest = await visitor()
  const [one, other, another] = [await begun(guest), await begun(guest), await begun(guest)]
  const url = await listening()
  const leave = new AbortController()
  t.after(() => leave.abort())
  const open = (sessionId: unknown, { key, headers } = guest, { signal } = leave) =>
    fetch(`${url}/v1/chat/stream`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ sessionId, watch: true }),
      signal,
    })
  const refused = async (sessionId: unknown) => {
    // `ask` reads to the end of the body. If the server accepted the watch, that would take 300 seconds.
    assert.equal((await open(sessionId)).status, 429)
    return await talk.house.ask<{ error: { code: string; reason: string } }>('POST', '/v1/chat/stream', {
      ...guest,
      body: { sessionId, watch: true },
    })
  }
  for (const sessionId of [one, one]) assert.equal((await open(sessionId)).status, 200)
  const third = await refused(one)
  assert.deepEqual([third.status, third.body.error.code, third.body.error.reason], [429, 'rate_limited', 'watches'])
  assert.ok(Number(third.headers['retry-after']) > 0)
  assert.equal((await open(other)).status, 200)
  const fourth = await refused(another)
  assert.deepEqual([fourth.status, fourth.body.error.reason], [429, 'watches'])
  const stranger = await visitor()
  assert.equal((await open(await begun(stranger), stranger)).status, 200, 'others have their own room')
  leave.abort()
  const afterwards = new AbortController()
  await until(async () => {
    const again = await open(one, guest, afterwards)
    if (again.status !== 200) await again.body?.cancel()
    return again.status === 200
  })
  afterwards.abort()
})

test('a watch ends with its conversation, and is told nothing of it any more', async () => {
  const { tenantId, apiKey: key } = await newShop()
  const guest = { key: await talk.house.key(tenantId, 'publishable'), headers: page }
  const sessionId = await begun(guest)
  const url = await listening()
  const watched = await fetch(`${url}/v1/chat/stream`, {
    method: 'POST',
    headers: { 'x-api-key': guest.key, 'content-type': 'application/json', ...page },
    body: JSON.stringify({ sessionId, watch: true }),
    signal: AbortSignal.timeout(60_000),
  })
  assert.equal((await talk.house.ask('DELETE', `/v1/conversations/${sessionId}`, { key })).status, 200)
  assert.match(await watched.text(), /"type":"end"/)
})

test('whoever asks for a watch as another protocol tells it, and leaves before it begins, keeps no room', async () => {
  const guest = await visitor()
  const sessionId = await begun(guest)
  const { hostname, port } = new URL(await listening())
  const body = JSON.stringify({ sessionId, watch: true })
  const head = [
    'POST /v1/chat/stream?protocol=ui-message HTTP/1.1',
    `Host: ${hostname}`,
    `X-Api-Key: ${guest.key}`,
    `Origin: ${page.origin}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  // They leave while their conversation is looked for.
  let leaving: Socket | undefined
  listenTo(talk.house, (name) => void (name === 'chat.load_session' && leaving?.destroy()))
  for (let turn = 0; turn < 12; turn++) {
    leaving = connect(Number(port), hostname)
    await once(leaving, 'connect')
    leaving.write(`${head.join('\r\n')}\r\n\r\n${body}`)
    await once(leaving, 'close')
  }
  leaving = undefined
  const leave = new AbortController()
  await until(async () => {
    const { status } = await fetch(`http://${hostname}:${port}/v1/chat/stream`, {
      method: 'POST',
      headers: { 'x-api-key': guest.key, 'content-type': 'application/json', ...guest.headers },
      body,
      signal: leave.signal,
    })
    return status === 200
  })
  leave.abort()
})
