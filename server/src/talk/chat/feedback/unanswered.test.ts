import assert from 'node:assert/strict'
import test from 'node:test'
import { EARLIER_QUESTION } from '../../../../testkit/history.ts'
import { ask, openTalk, talk } from '../fixtures/talk.ts'
import { listUnanswered } from './queries.ts'

openTalk()

test('unanswered questions are those of the period, the latest first where only some are read', async () => {
  const { model, house, shop } = talk
  model.play(['I could not find that.'])
  for (const prompt of ['Do you sell lamps?', 'Where are you?']) await ask({ prompt })
  await house.app.flush()
  const day = 86_400_000
  const list = async (daysBack: number, latest: number) => {
    const [from, to] = [new Date(Date.now() - daysBack * day), new Date(Date.now() + day)]
    const values = { tenantId: shop.tenantId, from, to, latest, limit: 10 }
    return (await house.database.database.rows(listUnanswered, values)).map(({ question }) => question)
  }
  assert.deepEqual(await list(30, 10), ['Where are you?', 'Do you sell lamps?', EARLIER_QUESTION])
  assert.deepEqual(await list(1, 10), ['Where are you?', 'Do you sell lamps?'])
  assert.deepEqual(await list(30, 1), ['Where are you?'])
})
