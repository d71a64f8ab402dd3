// What a decision on the page carries besides yes and no, and what it shows of a write that goes to an imported API.
import assert from 'node:assert/strict'
import test from 'node:test'
import { openMailedHouse } from '../../../testkit/mailed-house.ts'
import { statement } from '../../kernel/db/index.ts'
import { openApiImport } from '../../modules/openapi-import/module.ts'
import { card, look, set, shop, signedIn, stage } from './fixtures/visitor.ts'

const told = statement<{ tellVisitor: boolean; reason: string | null }, { tenantId: number; actionId: string }>(
  'test.told',
  `select tell_visitor as "tellVisitor", error_message as reason from actions
    where tenant_id = $tenantId::int and action_id = $actionId::uuid`,
)
const toldOf = async ({ tenantId }: { tenantId: number }, actionId: string) =>
  await set.house.database.database.one(told, { tenantId, actionId })

test('the reason of a no is the visitor’s to read only where whoever said no ticked it, and where there is a visitor', async () => {
  const { tenant, email } = await shop()
  const browser = await signedIn(email)
  const asked = async () => {
    const actionId = await stage(tenant)
    await set.house.database.database.script(
      `update actions set session_id = 'ses_of_a_visitor' where action_id = '${actionId}'`,
    )
    await browser.get(card(actionId))
    assert.match(browser.page.text, /<input type="checkbox" name="tellVisitor" value="yes">/)
    return actionId
  }
  const [ticked, silent] = [await asked(), await asked()]
  await browser.post(card(ticked), { decision: 'reject', reason: 'Sold out', tellVisitor: 'yes' })
  await browser.post(card(silent), { decision: 'reject', reason: 'A known fraud' })
  assert.deepEqual(await toldOf(tenant, ticked), { tellVisitor: true, reason: 'Sold out' })
  assert.deepEqual(await toldOf(tenant, silent), { tellVisitor: false, reason: 'A known fraud' })
  const direct = await stage(tenant)
  await browser.get(card(direct))
  assert.doesNotMatch(browser.page.text, /tellVisitor/)
})

test('of several decisions each says by itself whether its reason is the visitor’s', async () => {
  const { tenant, key } = await shop()
  const [one, other] = [await stage(tenant), await stage(tenant)]
  const no = (actionId: string, more: object) => ({ actionId, decision: 'reject', reason: 'Sold out', ...more })
  const decisions = [no(one, { tellVisitor: true }), no(other, {})]
  const { status } = await set.house.ask('POST', '/v1/actions/decide', { key, body: { decisions } })
  assert.equal(status, 200)
  assert.deepEqual(
    [(await toldOf(tenant, one))?.tellVisitor, (await toldOf(tenant, other))?.tellVisitor],
    [true, false],
  )
  const wrong = { decisions: [no(one, { tellVisitor: 'yes' })] }
  assert.equal((await set.house.ask('POST', '/v1/actions/decide', { key, body: wrong })).status, 400)
})

test('a write of an imported API is shown as the request that it is, without the credential', async () => {
  await using house = await openMailedHouse({}, { modules: [openApiImport] })
  const { tenant, key, email } = await shop(house)
  const refund = {
    name: 'refund_order',
    description: 'Pays an order back at the imported API.',
    is_write: true,
    parameters: {
      type: 'object',
      properties: {
        number: { type: 'string' },
        amount: { type: 'number' },
        trace: { type: 'string' },
        dry: { type: 'boolean' },
      },
      required: ['number'],
    },
    http: {
      method: 'POST',
      path: '/orders/{number}/refunds',
      body: 'json',
      arguments: {
        number: { in: 'path', name: 'number' },
        amount: { in: 'body', name: 'amount' },
        trace: { in: 'header', name: 'X-Trace' },
        dry: { in: 'query', name: 'dry' },
      },
    },
  }
  const document = { openapi: '3.1.0', paths: { '/orders': { get: { operationId: 'list_orders', responses: {} } } } }
  const registered = await house.ask('PUT', '/v1/tools', { key, body: [refund] })
  assert.equal(registered.status, 200, registered.text)
  const imported = await house.ask('POST', '/v1/tools/import', {
    key,
    body: {
      document,
      baseUrl: 'http://127.0.0.1:9009/api/',
      operations: { list_orders: { is_write: false } },
      credential: 'secret-of-the-shop',
    },
  })
  assert.equal(imported.status, 200, imported.text)
  const given = { number: 'A/1 ü', amount: 12.5, trace: 't-1', dry: true }
  const actionId = await stage(tenant, 'refund_order', given, house)
  const { requestPreview } = await look(tenant, actionId, house)
  const sent = {
    method: 'POST',
    url: 'http://127.0.0.1:9009/api/orders/A%2F1%20%C3%BC/refunds?dry=true',
    headers: [
      'accept',
      'X-Trace',
      'Authorization',
      'content-type',
      'Idempotency-Key',
      'X-Service-Idempotency-Key',
      'X-Service-Signature',
      'X-Service-Timestamp',
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ],
    body: { amount: 12.5 },
  }
  assert.deepEqual(requestPreview, sent)
  const browser = await signedIn(email, house)
  const { text } = await browser.get(card(actionId))
  const shown = /<pre tabindex="0">([\s\S]*?)<\/pre>/.exec(text)?.[1]?.replaceAll('&quot;', '"') ?? ''
  assert.deepEqual(JSON.parse(shown), sent)
  assert.ok(!text.includes('secret-of-the-shop'))
})
