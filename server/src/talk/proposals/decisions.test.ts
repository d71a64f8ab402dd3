import assert from 'node:assert/strict'
import test from 'node:test'
import { decisionOn } from './decisions.ts'

test('what was changed is not told as declined', () => {
  const changed = { actionId: 'a', state: 'rejected', reason: 'amended: a typing error', isReplaced: true } as const
  for (const language of ['en', 'ka'] as const) {
    const told = decisionOn(changed, language)
    assert.doesNotMatch(told?.text ?? '', /Declined|უარყოფილია|typing error/)
    assert.match(decisionOn({ ...changed, isReplaced: false }, language)?.text ?? '', /Declined|უარყოფილია/)
  }
})
