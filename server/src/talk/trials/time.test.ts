import assert from 'node:assert/strict'
import test from 'node:test'
import type { TrialsAnswer } from '@tether/contract'
import { offline } from '../../modules/offline/module.ts'
import { newShop, openTalk, talk } from '../chat/fixtures/talk.ts'

openTalk({ modules: [offline], settings: { 'AI:Trials:TimeoutSeconds': '4', 'AI:Trials:MaxConcurrent': '1' } })

test('what has not ended in the time of all cases together has failed, and what has not begun asks no model', async () => {
  const shop = await newShop()
  talk.model.play(['hang'])
  const cases = ['One', 'Two', 'Three'].map((prompt) => ({ prompt, expect: {} }))
  const body = { cases }
  const { status, body: said } = await talk.house.ask<TrialsAnswer>('POST', '/v1/tools/trials', {
    key: shop.apiKey,
    body,
  })
  assert.equal(status, 200)
  assert.deepEqual([said.passed, said.failed, said.offline], [0, 3, { passed: 0, failed: 3 }])
  for (const { error, failures } of said.results) {
    assert.equal(error?.code, 'TURN_TIMEOUT')
    assert.match(failures[0] ?? '', /TURN_TIMEOUT/)
  }
  assert.equal(talk.model.requests.length, 1)
})
