// The scripted model server of the testkit, through the adapter that production uses: what a test writes down arrives.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScriptedModel } from '../../../../testkit/scripted-model.ts'
import { chatCompletions, gather, request } from '../fixtures/rounds.ts'

for (const quirky of [false, true]) {
  test(`text, calls and usage of a script arrive${quirky ? ', with every quirk' : ''}`, async (t) => {
    const server = await openScriptedModel({ quirky })
    t.after(() => server.close())
    const model = chatCompletions(t, server.baseUrl, { silenceMs: 2_000 })
    server.script(
      [
        { text: 'ვნახავ ორივეს.' },
        {
          calls: [
            { name: 'get_order', arguments: { number: 'A-1' }, id: null },
            { name: 'get_order', arguments: { number: 'A-2' }, id: null },
          ],
        },
        { usage: { input: 20, output: 9 } },
      ],
      { status: 429, retryAfter: 3 },
      [{ text: 'half' }, { cut: true }],
      [{ text: 'half' }, { stall: true }],
      [{ text: 'half' }, { errorInStream: 'overloaded' }],
      [{ calls: [{ name: 'get_order', arguments: '{"number":"A-' }] }, { finish: 'length' }],
    )
    const got = await gather(model)
    assert.equal(got.text, 'ვნახავ ორივეს.')
    assert.deepEqual(
      got.calls.map((call) => [call.id, JSON.parse(call.arguments)]),
      [
        ['call00001', { number: 'A-1' }],
        ['call00002', { number: 'A-2' }],
      ],
    )
    assert.deepEqual([got.usages, got.finishes], [[{ inputTokens: 20, outputTokens: 9 }], ['calls']])
    await assert.rejects(gather(model), { kind: 'busy', retryAfterSeconds: 3 })
    await assert.rejects(gather(model), { kind: 'broken' })
    await assert.rejects(gather(model), { kind: 'late' })
    await assert.rejects(gather(model), { kind: 'broken' })
    const cut = await gather(model, request)
    assert.deepEqual([cut.calls, cut.finishes], [[], ['length']])
  })
}
