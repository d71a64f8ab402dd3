// What a card says once somebody has decided: of the record, and of what it still waits for.
import assert from 'node:assert/strict'
import test from 'node:test'
import { newAddress } from '../../../testkit/mailed-house.ts'
import { unlisted } from '../../kernel/db/index.ts'
import { card, look, set, shop, signedIn, stage } from './fixtures/visitor.ts'

const NOW = /What the record says now/

test('after a write has run, no card shows what its record said before', async () => {
  const { tenant, email } = await shop()
  const [first, second] = [await stage(tenant), await stage(tenant)]
  const browser = await signedIn(email)
  for (const one of [first, second]) {
    const { text } = await browser.get(card(one))
    assert.match(text, NOW)
    assert.match(text, />90</)
  }
  await browser.get(card(first))
  set.amount = 2
  try {
    await browser.post(card(first), { decision: 'confirm' })
    assert.match(browser.page.text, /data-state="executed"/)
    assert.doesNotMatch(browser.page.text, NOW, 'it is done: what the record said before is not what it says now')
    const { text } = await browser.get(card(second))
    assert.match(text, />2</)
    assert.doesNotMatch(text, />90</)
  } finally {
    set.amount = 90
  }
})

/** A shop whose writes take the yes of two managers: Ana and Beka. */
async function shopOfTwo() {
  const made = await shop()
  const beka = newAddress()
  const people = [{ displayName: 'Beka', email: beka, role: 'manager' }]
  await set.house.ask('PUT', '/v1/users', { key: made.key, body: people })
  const rules = [{ roles: ['manager'], approvers: 2 }]
  await set.house.ask('PUT', '/v1/policy', { key: made.key, body: { rules } })
  return { ...made, beka }
}

test('whoever has approved is told for how many it waits, on the card and in the list, and is not asked again', async () => {
  const { tenant, email, beka } = await shopOfTwo()
  const actionId = await stage(tenant)
  const ana = await signedIn(email)
  await ana.get(card(actionId))
  assert.match(ana.page.text, /value="confirm"/)
  await ana.post(card(actionId), { decision: 'confirm' })
  await ana.get(card(actionId))
  assert.match(ana.page.text, /You approved; waiting for 1 more\./)
  assert.doesNotMatch(ana.page.text, /value="confirm"|name="acknowledge"/)
  assert.match(ana.page.text, /value="reject"/, 'a no is still theirs to say')
  const list = async (language: string) => (await ana.get(`/inbox?lang=${language}`)).text
  assert.match(await list('en'), /You approved; waiting for 1 more/)
  assert.match(await list('ka'), /თქვენ დაამტკიცეთ; საჭიროა კიდევ 1/)
  const other = await signedIn(beka)
  await other.get('/inbox?lang=en')
  assert.doesNotMatch(other.page.text, /You approved/)
  await other.get(card(actionId))
  await other.post(card(actionId), { decision: 'confirm' })
  assert.equal((await look(tenant, actionId)).status, 'executed')
})

test('a yes to what was changed since is none, and one that is enough by now may be given again', async () => {
  const { tenant, key, email, beka } = await shopOfTwo()
  const actionId = await stage(tenant)
  const [ana, other] = [await signedIn(email), await signedIn(beka)]
  await ana.get(card(actionId))
  await ana.post(card(actionId), { decision: 'confirm' })
  await other.get(card(actionId))
  await other.post(card(actionId), { decision: 'amend', 'argument.number': 'A-2', 'argument.amount': '88' })
  const fresh = (await look(tenant, actionId)).replacedBy ?? assert.fail('it was not changed')
  await ana.get(card(fresh))
  assert.match(ana.page.text, /value="confirm"/)
  await ana.post(card(fresh), { decision: 'confirm' })
  // With the second person no longer asked for, nothing would run it but a yes.
  await set.house.ask('PUT', '/v1/policy', { key, body: { rules: [{ roles: ['manager'], approvers: 1 }] } })
  await ana.get(card(fresh))
  assert.match(ana.page.text, /Confirm and run/)
  await ana.post(card(fresh), { decision: 'confirm' })
  assert.equal((await look(tenant, fresh)).status, 'executed')
})

const approveOlderVersion = unlisted<unknown, { tenantId: number; actionId: string }>(
  'test.approve_older_version',
  `update approvals set payload_hash = repeat('0', 64) where tenant_id = $tenantId::int and action_id = $actionId::uuid`,
)

test('neither the card nor the list counts an approval of an older version of the write', async () => {
  const { tenant, email } = await shopOfTwo()
  const actionId = await stage(tenant)
  const ana = await signedIn(email)
  await ana.get(card(actionId))
  await ana.post(card(actionId), { decision: 'confirm' })
  const { tenantId } = tenant
  assert.equal(await set.house.database.database.run(approveOlderVersion, { tenantId, actionId }), 1)
  await ana.get(card(actionId))
  assert.doesNotMatch(ana.page.text, /You approved/)
  assert.match(ana.page.text, /value="confirm"/)
  await ana.get('/inbox')
  assert.doesNotMatch(ana.page.text, /You approved/)
})
