import assert from 'node:assert/strict'
import test from 'node:test'
import type { Proposal, ToolStatus } from '@tether/contract'
import { isObject, type JsonObject, parseJson } from '../../kernel/json/index.ts'
import { contradictionIn, type Done, type Expectation, failuresOf } from './judge.ts'

const json = (text: string): JsonObject => {
  const value = parseJson(text)
  assert.ok(isObject(value))
  return value
}
const call = (tool: string, given = '{}', status: ToolStatus = 'ok') => ({ tool, arguments: json(given), status })
const proposalOf = (tool: string, given = '{}') => ({ tool, arguments: json(given) }) as unknown as Proposal
const done = (more: Partial<Done> = {}): Done => ({
  chosen: [],
  handsOver: (tool) => tool === 'tether_handoff',
  proposals: [],
  answer: '',
  ...more,
})

const read = done({
  chosen: [call('get_order', '{"number":"A-1","deep":{"a":[1,2.0]}}')],
  answer: 'It is Shipped\n today.',
})
const proposed = done({
  chosen: [call('get_order'), call('refund_order', '{"number":"A-1","amount":12.50}', 'staged')],
  proposals: [proposalOf('refund_order', '{"number":"A-1","amount":12.50}')],
})

const table: readonly [does: Done, expected: string, says: RegExp | null][] = [
  [read, '{}', null],
  [read, '{"tool":"get_order"}', null],
  [read, '{"tool":"list_stock"}', /^Expected a call of "list_stock"\. The turn chose get_order \(ok\)\.$/],
  [done(), '{"tool":"get_order"}', /The turn called nothing/],
  [read, '{"tool":"get_order","arguments":{"number":"A-1"}}', null],
  [read, '{"arguments":{"deep":{"a":[1.0,2]}}}', null],
  [read, '{"arguments":{"number":"A-2"}}', /^Expected the argument "number" to be "A-2", and it was "A-1"\.$/],
  [read, '{"arguments":{"shop":"T"}}', /"shop" to be "T", and it was not given/],
  [read, '{"arguments":{"shop":null}}', null],
  [read, '{"arguments":{"number":null}}', /"number" to be absent, and it was "A-1"/],
  [
    done({ chosen: [call('pay', '{"n":9007199254740993}')] }),
    '{"arguments":{"n":9007199254740992}}',
    /to be 9007199254740992, and it was 9007199254740993/,
  ],
  [done({ chosen: [call('pay', '{"n":1}'), call('pay', '{"n":2}')] }), '{"tool":"pay","arguments":{"n":2}}', null],
  [done({ chosen: [call('get_order', '{}', 'failed')] }), '{"tool":"get_order"}', /get_order \(failed\)/],
  [done({ chosen: [call('get_order', '{}', 'unknown_tool')] }), '{"tool":"get_order"}', /\(unknown_tool\)/],
  [done({ chosen: [call('get_order', '{}', 'not_configured')] }), '{"tool":"get_order"}', null],
  [proposed, '{"proposal":true}', null],
  [proposed, '{"proposal":true,"tool":"refund_order","arguments":{"amount":12.5}}', null],
  [proposed, '{"proposal":true,"tool":"get_order"}', /Expected a proposal of "get_order"/],
  [proposed, '{"proposal":true,"arguments":{"amount":13}}', /"amount" to be 13, and it was 12\.50?/],
  [proposed, '{"proposal":false}', /^Expected no proposal\. Proposed: .*refund_order/],
  [read, '{"proposal":false}', null],
  [read, '{"proposal":true}', /^Expected a proposal\. The turn chose get_order/],
  [read, '{"noCall":true}', /^Expected no call\. The turn chose get_order \(ok\)\.$/],
  [done({ chosen: [call('no_such', '{}', 'unknown_tool')] }), '{"noCall":true}', /no_such/],
  [done(), '{"noCall":true}', null],
  [done({ chosen: [call('tether_handoff')] }), '{"noCall":true}', null],
  [done({ chosen: [call('tether_handoff')] }), '{"noCall":true,"proposal":false}', null],
  [done({ chosen: [call('tether_handoff')] }), '{"tool":"tether_handoff"}', null],
  [read, '{"noCall":false}', null],
  [read, '{"answerHas":"is shipped today"}', null],
  [read, '{"answerHas":["shipped","  TODAY "]}', null],
  [read, '{"answerHas":["shipped","refunded"]}', /^Expected the answer to have "refunded"/],
]
for (const [does, expected, says] of table) {
  const what = does.chosen.map(({ tool, status }) => `${tool} ${status}`).join(', ')
  test(`${expected} ${says === null ? 'is met by' : 'is not met by'} [${what}]`, () => {
    const failures = failuresOf(json(expected) as Expectation, does)
    if (says === null) assert.deepEqual(failures, [])
    else assert.match(failures.join('\n'), says)
  })
}

test('everything that failed is said, each once', () => {
  const failures = failuresOf({ tool: 'refund_order', proposal: true, answerHas: ['a', 'b'], noCall: false }, done())
  assert.equal(failures.length, 3)
})

test('what no turn could meet is a contradiction', () => {
  for (const impossible of [{ tool: 'x' }, { arguments: {} }, { proposal: true }])
    assert.notEqual(contradictionIn({ noCall: true, ...impossible }), null)
  for (const possible of [{ noCall: true }, { noCall: true, proposal: false }, { noCall: false, tool: 'x' }])
    assert.equal(contradictionIn(possible), null)
})
