// A watch that has nothing to tell does not outlive its key.
import assert from 'node:assert/strict'
import test from 'node:test'
import { ask, listening, newShop, openTalk, page, talk } from './fixtures/talk.ts'

const LONGEST_SECONDS = 120
openTalk({ 'AI:Chat:WatchSeconds': String(LONGEST_SECONDS) })

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
