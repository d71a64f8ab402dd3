import assert from 'node:assert/strict'
import test from 'node:test'
import { differenceOf } from './compare.ts'
import { merged } from './lexicon.ts'

test('a difference says what is new, what is repeated in whatever case, and what is left out', () => {
  const pack = { returns: ['Refund', 'დაბრუნება', 'café'], delivery: ['courier'] }
  const suggested = { visits: ['workshop'], returns: ['refund', 'money back', 'cafe\u0301'] }
  const difference = differenceOf(pack, suggested)
  assert.deepEqual(difference, [
    { domain: 'visits', isNew: true, added: ['workshop'], known: [], missing: [] },
    { domain: 'returns', isNew: false, added: ['money back'], known: ['refund', 'cafe\u0301'], missing: ['დაბრუნება'] },
    { domain: 'delivery', isNew: false, added: [], known: [], missing: ['courier'] },
  ])
  const steps = merged(pack, suggested)
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  for (const { domain, added } of difference)
    assert.deepEqual(step.value[domain]?.slice(pack[domain as 'returns']?.length ?? 0), added, 'as accepting it does')
  assert.deepEqual(differenceOf({}, {}), [])
})
