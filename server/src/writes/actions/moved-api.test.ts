// A write belongs to the address that it was sent to, and a claim to where the API was when it was judged.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answer, PretendApi } from '../../../testkit/pretend-api.ts'
import { statement } from '../../kernel/db/index.ts'
import { api, importing, set } from '../../tools/calls/fixtures/imported-shop.ts'
import { at, decide, outcome, say, selling, stage, stateOf, writes } from './fixtures/imported-writes.ts'

test('a write that nobody knows of is asked about where it was sent, and nowhere else unless somebody says so', async () => {
  const moved = new PretendApi()
  const elsewhere = await moved.start()
  const now = moved.answering(200, { done: true })
  try {
    selling('paid', say(500))
    const staged = await stage('refund_order')
    await decide('confirm', staged)
    await importing({ baseUrl: elsewhere })
    const refused = await decide('reconcile', staged)
    assert.deepEqual(outcome(refused), [400, 'Conflict', 'CONFLICT'])
    assert.match(refused.body.errorMessage ?? '', /imported at another address/)
    assert.equal(now.length, 0)
    const told = await decide('reconcile', staged, {}, { sendToNewEndpoint: true })
    assert.deepEqual(outcome(told), [200, 'Executed', null])
    assert.equal(now.length, 1)
  } finally {
    await moved.stop()
  }
})

test('a confirm that was judged before the API was imported elsewhere runs nothing', async () => {
  const moved = new PretendApi()
  const elsewhere = await moved.start()
  const now = moved.answering(200)
  try {
    const seen = selling('paid', say(200))
    const staged = await stage('refund_checked')
    // The precondition is read after the caller was let in, and before the claim.
    let turned = false
    api.play((call, response) => {
      if (call.method !== 'GET') return answer(response, 200)
      const move = turned ? Promise.resolve() : importing({ baseUrl: elsewhere })
      turned = true
      return void move.then(() => answer(response, 200, { state: 'paid' }))
    })
    const confirmed = await decide('confirm', staged)
    assert.deepEqual(outcome(confirmed), [400, 'Conflict', 'CONFLICT'])
    assert.match(confirmed.body.errorMessage ?? '', /imported at another address/)
    assert.equal(await stateOf(staged), 'pending')
    assert.deepEqual([writes(seen).length, now.length], [0, 0])
  } finally {
    await moved.stop()
  }
})

const sentTo = statement<{ sentTo: string | null; stagedFor: string | null }, { tenantId: number; actionId: string }>(
  'test.sent_to',
  'select sent_to as "sentTo", staged_for as "stagedFor" from actions where tenant_id = $tenantId::int and action_id = $actionId::uuid',
)

test('while the API is imported to and fro, each write goes out once at most, and to where its claim says', async () => {
  const bases = [`${await api.start()}/here`, `${await api.start()}/there`]
  const seen = selling('paid', say(200))
  await importing({ baseUrl: bases[1] ?? '' })
  let over = false
  const moving = (async () => {
    for (let turn = 0; !over; turn++) await importing({ baseUrl: bases[turn % 2] ?? '' })
  })()
  try {
    const all = Array.from({ length: 6 }, async (_, index) => {
      const staged = await stage('refund_order', { number: `N-${index}` })
      for (let tries = 0; tries < 2_000 && (await stateOf(staged)) === 'pending'; tries++) {
        const both = await Promise.all([decide('confirm', staged), decide('confirm', staged)])
        assert.ok(
          both.every(({ status }) => status < 500),
          JSON.stringify(both.map(({ body }) => body)),
        )
      }
      return { staged, sent: seen.filter(({ target }) => target.includes(`/N-${index}/`)) }
    })
    let executed = 0
    for (const { staged, sent } of await Promise.all(all)) {
      // A claim whose address has moved before it was sent is an attempt, of which there are three.
      assert.equal(sent.length, (await stateOf(staged)) === 'executed' ? 1 : 0)
      if (sent.length === 0) continue
      executed++
      const row = await set.house.database.database.one(sentTo, at(staged))
      assert.equal(row?.sentTo, row?.stagedFor)
      const base = row?.sentTo ?? ''
      assert.ok(sent[0]?.target.startsWith(`${new URL(base).pathname}/`), `${base} ${sent[0]?.target}`)
    }
    assert.ok(executed > 0)
  } finally {
    over = true
    await moving
  }
})
