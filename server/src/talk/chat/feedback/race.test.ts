import assert from 'node:assert/strict'
import test from 'node:test'
import { ask, openTalk, talk } from '../fixtures/talk.ts'

openTalk()

test('an answer that is being rated at this moment is 409, and the rating after that is taken', async (t) => {
  const { house, shop } = talk
  const db = house.database.database
  if (db.engine === 'embedded')
    return t.skip('the embedded engine has one connection: nothing happens at the same moment')
  talk.model.play(['Hello.'])
  const { sessionId, requestId } = (await ask({ prompt: 'Hi' })).body
  const rate = () =>
    house.ask('POST', '/v1/chat/feedback', { key: shop.apiKey, body: { sessionId, requestId, rating: 'up' } })
  const [locked, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = db.transaction(async (tx) => {
    await tx.script(
      `select 1 from exchanges where tenant_id = ${shop.tenantId} and request_id = '${requestId}' for update`,
    )
    locked.resolve()
    await done.promise
  })
  await locked.promise
  assert.equal((await rate()).error?.code, 'feedback_in_flight')
  done.resolve()
  await holding
  assert.equal((await rate()).status, 200)
})
