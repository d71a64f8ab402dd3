// A waiting write whose destination moved: what its card and the list show of it, and how a person stages it again.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import test, { after } from 'node:test'
import { ScriptedEndpoint } from '../../../testkit/scripted-endpoint.ts'
import { unlisted } from '../../kernel/db/index.ts'
import { card, look, set, shop, signedIn, stage } from './fixtures/visitor.ts'

const other = new ScriptedEndpoint()
other.play((_call, response) => void response.end('{"state":"paid"}'))
after(() => other.stop())

const setEndpoint = async (key: string, url: string) => {
  const { status, text } = await set.house.ask('PUT', '/v1/endpoint', { key, body: { url } })
  assert.equal(status, 200, text)
}
const makeOld = unlisted<unknown, { tenantId: number; actionId: string; payloadHash: string }>(
  'test.make_old',
  `update actions set hash_version = 1, staged_for = null, payload_hash = $payloadHash::text
    where tenant_id = $tenantId::int and action_id = $actionId::uuid`,
)

test('the card of a moved write says both addresses, and offers to propose it again instead of approving it', async () => {
  const { tenant, key, email } = await shop()
  const actionId = await stage(tenant, 'refund_order', { number: 'A-1' })
  const browser = await signedIn(email)
  await browser.get(card(actionId))
  assert.match(browser.page.text, /value="confirm"/)
  const now = new URL(await other.start()).origin
  await setEndpoint(key, `${now}/hooks/s3cret?token=s3cret`)
  await browser.get(card(actionId))
  assert.match(browser.page.text, new RegExp(`It would now go to ${now} and not to http://127\\.0\\.0\\.1:\\d+`))
  assert.doesNotMatch(browser.page.text, /s3cret/)
  assert.doesNotMatch(browser.page.text, /value="confirm"/)
  await browser.get(`${card(actionId)}?lang=ka`)
  assert.match(browser.page.text, /ხელახლა შეთავაზება/)
  await browser.get(`${card(actionId)}?lang=en`)
  // Nothing is typed: the same arguments are proposed for the new address.
  await browser.post(card(actionId), { decision: 'amend', 'argument.number': 'A-1' })
  const replacedBy = (await look(tenant, actionId)).replacedBy ?? assert.fail('it was not proposed again')
  await browser.get(card(replacedBy))
  assert.match(browser.page.text, /value="confirm"/)
  assert.ok(browser.page.text.includes(`Goes to ${now}<`), browser.page.text)
})

test('the card of a moved write counts no approvals, because none can run it', async () => {
  const { tenant, key, email } = await shop()
  const actionId = await stage(tenant, 'refund_order', { number: 'A-1' })
  const browser = await signedIn(email)
  await browser.get(card(actionId))
  assert.match(browser.page.text, /class="approvals"/)
  await setEndpoint(key, await other.start())
  await browser.get(card(actionId))
  assert.doesNotMatch(browser.page.text, /class="approvals"|It runs when you confirm/)
})

test('the form of a new proposal warns its reader where the policy bars them from approving it', async () => {
  const { tenant, key, email } = await shop()
  const actionId = await stage(tenant, 'refund_order', { number: 'A-1' })
  const browser = await signedIn(email)
  const warned = async (lang: string) => {
    await browser.get(`${card(actionId)}?lang=${lang}`)
    return /You may not approve what you propose|რასაც თავად შესთავაზებთ, ვერ დაამტკიცებთ/.test(browser.page.text)
  }
  const rules = [{ roles: ['manager'], approvers: 2 }]
  await set.house.ask('PUT', '/v1/policy', { key, body: { rules } })
  assert.equal(await warned('en'), false)
  await set.house.ask('PUT', '/v1/policy', { key, body: { rules, requesterMayApprove: false } })
  assert.equal(await warned('ka'), true)
  assert.equal(await warned('en'), true)
})

test('a list of moved writes alone has no buttons for a selection', async () => {
  const { tenant, key, email } = await shop()
  await stage(tenant, 'refund_order', { number: 'A-1' })
  await setEndpoint(key, await other.start())
  const browser = await signedIn(email)
  assert.doesNotMatch(browser.page.text, /Confirm selected|Reject selected/)
  await stage(tenant, 'refund_order', { number: 'A-2' })
  await browser.get('/inbox')
  assert.match(browser.page.text, /Confirm selected/)
})

test('the list does not let anybody pick a moved write, and says that it has changed', async () => {
  const { tenant, key, email } = await shop()
  const moved = await stage(tenant, 'refund_order', { number: 'A-1' })
  await setEndpoint(key, await other.start())
  const waiting = await stage(tenant, 'refund_order', { number: 'A-2' })
  const { page } = await signedIn(email)
  const picks = [...page.text.matchAll(/name="pick" value="([0-9a-f-]{36}) /g)].map(([, id]) => id)
  assert.deepEqual(picks, [waiting])
  assert.match(page.text, new RegExp(`${moved}[\\s\\S]*It has changed since it was proposed`))
})

test('the card of a write from before the upgrade says so, and proposes it again', async () => {
  const { tenant, email } = await shop()
  const actionId = await stage(tenant, 'refund_order', { number: 'A-1' })
  // The formula of version 1, which did not cover the address.
  const old = { arguments: { number: 'A-1' }, scope_id: null, subject: null, tool: 'refund_order' }
  await set.house.database.database.run(makeOld, {
    tenantId: tenant.tenantId,
    actionId,
    payloadHash: createHash('sha256').update(JSON.stringify(old)).digest('hex'),
  })
  const browser = await signedIn(email)
  await browser.get(card(actionId))
  assert.doesNotMatch(browser.page.text, /value="confirm"/)
  assert.match(browser.page.text, /It was proposed before an update of this service/)
  await browser.post(card(actionId), { decision: 'amend', 'argument.number': 'A-1' })
  const replacedBy = (await look(tenant, actionId)).replacedBy ?? assert.fail('it was not proposed again')
  await browser.get(card(replacedBy))
  assert.match(browser.page.text, /value="confirm"/)
})
