// A watch that has nothing to tell does not outlive its key.
import assert from 'node:assert/strict'
import test from 'node:test'
import { impatientClock } from '../../../testkit/clock.ts'
import { openHouse } from '../../../testkit/house.ts'
import { listenTo } from '../../../testkit/statements.ts'
import { ask, listening, newShop, openTalk, page, talk, until } from './fixtures/talk.ts'

const LONGEST_SECONDS = 120
openTalk({ settings: { 'AI:Chat:WatchSeconds': String(LONGEST_SECONDS) } })

test('a watch without news ends soon after its key was revoked, and not with its time', async () => {
  const shop = await newShop()
  const key = await talk.house.key(shop.tenantId, 'publishable')
  const { body } = await ask({ prompt: 'Hello' }, { key, headers: page })
  const answer = await fetch(`${await listening()}/v1/chat/stream`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', ...page },
    body: JSON.stringify({ sessionId: body.sessionId, watch: true }),
  })
  assert.equal(answer.status, 200)
  const from = Date.now()
  await talk.house.ask('DELETE', `/v1/account/keys/${key.slice(0, 12)}`, { key: shop.apiKey })
  assert.match(await answer.text(), /"type":"end"/)
  assert.ok(Date.now() - from < (LONGEST_SECONDS / 2) * 1000)
})

test('a watch without news checks its key every two seconds', async () => {
  const shop = await newShop()
  const key = await talk.house.key(shop.tenantId, 'publishable')
  const { body } = await ask({ prompt: 'Hello' }, { key, headers: page })
  // The time stands still until the test moves it.
  let time = Date.now()
  await using house = await openHouse({ beside: talk.house, clock: { ...impatientClock, now: () => time } })
  let polls = 0
  listenTo(house, (name) => {
    if (name === 'proposals.list') polls++
  })
  const url = await house.app.server.listen({ host: '127.0.0.1', port: 0 })
  const watched = await fetch(`${url}/v1/chat/stream`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', ...page },
    body: JSON.stringify({ sessionId: body.sessionId, watch: true }),
    signal: AbortSignal.timeout(10_000),
  })
  assert.equal(watched.status, 200)
  await until(() => polls > 0)
  await talk.house.ask('DELETE', `/v1/account/keys/${key.slice(0, 12)}`, { key: shop.apiKey })
  time += 2_000
  assert.match(await watched.text(), /"type":"end"/)
})
