// A window that is open shows what a person writes as they write it.
import assert from 'node:assert/strict'
import test from 'node:test'
import { ask, listening, newShop, openTalk, page, readStream, talk, until } from './fixtures/talk.ts'

// The watch must not end before the message comes, however slow this machine is.
openTalk({ settings: { 'AI:Chat:WatchSeconds': '600' } })

test('a watch that is open tells a message as it is written, and a decision beside it, each with a number of its own', async () => {
  const shop = await newShop()
  const key = await talk.house.key(shop.tenantId, 'publishable')
  talk.model.play([{ call: 'cancel_order', with: { number: 'A-17' } }], ['It waits.'])
  const { body } = await ask({ prompt: 'Cancel A-17' }, { key, headers: page })
  const { sessionId } = body
  const leave = new AbortController()
  const answer = await fetch(`${await listening()}/v1/chat/stream`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', ...page },
    body: JSON.stringify({ sessionId, watch: true }),
    signal: leave.signal,
  })
  let heard = ''
  const reading = (async () => {
    for await (const piece of answer.body ?? []) heard += Buffer.from(piece).toString()
  })().catch(() => {})
  await until(() => heard.startsWith(': '))
  const write = (text: string) =>
    talk.house.ask('POST', `/v1/conversations/${sessionId}/messages`, { key: shop.apiKey, body: { text } })
  await write('Here I am')
  await until(() => heard.includes('Here I am'))
  const actionId = body.meta.proposals[0]?.actionId
  await talk.house.ask('POST', `/v1/actions/${actionId}/reject`, { key: shop.apiKey, body: { reason: 'No' } })
  await until(() => heard.includes('rejected'))
  await write('And again')
  await until(() => heard.includes('And again'))
  leave.abort()
  await reading
  const { frames, ids } = readStream(heard)
  assert.deepEqual(
    (frames as readonly { type: string }[]).map(({ type }) => type),
    ['message', 'decision', 'message'],
    'each is told once',
  )
  assert.deepEqual(
    ids,
    ids.toSorted((one, other) => one - other),
  )
})
