// The page of docs/chat-clients.md, as it stands there, in a real browser: React and `useChat` are the makers' own.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import test, { after, before } from 'node:test'
import { build } from 'esbuild'
import { type Browser, chromium, type Page } from 'playwright-core'
import { mintCustomerToken } from '../../../../sdk/src/index.ts'
import { type NewTenant, type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { type PlayedModel, playedModel } from '../../../testkit/played-model.ts'
import { type Business, openBusiness } from '../../../testkit/pretend-business.ts'
import { exampleWith, ROOT } from './fixtures/guide.ts'

const CHROMIUM = '/usr/bin/chromium'
const skip = existsSync(CHROMIUM) ? false : 'there is no chromium here (apt-get install chromium)'

const number = { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] }
const CATALOG = [
  { name: 'get_order', description: 'Looks up one order of the shop.', is_write: false, parameters: number },
  {
    name: 'cancel_order',
    description: 'Cancels an order of the signed-in customer.',
    is_write: true,
    requires_customer: true,
    parameters: number,
  },
]

const POLICY = { rules: [{ domains: ['money'], roles: ['manager'] }], customerSelfConfirm: true }

let house: OpenHouse
let model: PlayedModel
let business: Business
let shop: NewTenant
let browser: Browser
let server: Server
let page: Page
const faults: string[] = []

before(async () => {
  if (skip !== false) return
  model = playedModel(['Hello.'])
  business = await openBusiness()
  house = await openHouse({ model })
  shop = await house.tenant()
  const key = shop.apiKey
  await house.ask('PUT', '/v1/endpoint', { key, body: { url: business.url } })
  await house.ask('PUT', '/v1/tools', { key, body: CATALOG })
  await house.ask('PUT', '/v1/policy', { key, body: POLICY })
  await house.app.server.listen({ host: '127.0.0.1', port: 0 })
  server = createServer((_request, response) => void response.writeHead(200, HTML).end(html))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await house.database.database.script(`update tenants set origins = '{${origin}}' where tenant_id = ${shop.tenantId}`)
  html = `<!doctype html><title>Shop</title><div id="root"></div><script type="module">${await bundled()}</script>`
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  page = await browser.newPage()
  page.on('pageerror', (error) => faults.push(String(error)))
  await page.goto(origin)
})
after(async () => {
  if (skip !== false) return
  await browser.close()
  server.close()
  house.app.server.server.closeAllConnections()
  await house.close()
  await business.close()
})

const HTML = { 'content-type': 'text/html; charset=utf-8' }
let html = ''

/** The example with this house's address, a key and a customer, and the two lines that put it into a page. */
async function bundled(): Promise<string> {
  const issued = await house.ask<{ customerTokenKey: string }>('POST', '/v1/account/customer-token-key', {
    key: shop.apiKey,
  })
  const token = await mintCustomerToken({
    key: issued.body.customerTokenKey,
    tenantId: shop.tenantId,
    customerId: 'nino',
  })
  const { port } = house.app.server.server.address() as AddressInfo
  const example = exampleWith('tsx', 'useChat')
    .replace('https://assistant.example.com', `http://127.0.0.1:${port}`)
    .replace(
      "'tpk_your_publishable_key'",
      `'${await house.key(shop.tenantId, 'publishable')}', 'X-Service-Customer-Token': '${token}'`,
    )
  const mounted = `${example}\nimport { createRoot } from 'react-dom/client'\ncreateRoot(document.getElementById('root')!).render(<Assistant />)\n`
  const { outputFiles } = await build({
    stdin: { contents: mounted, loader: 'tsx', resolveDir: path.join(ROOT, 'server') },
    bundle: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    logLevel: 'silent',
  })
  return (outputFiles[0]?.text ?? '').replaceAll('</script', '<\\/script')
}

async function ask(text: string): Promise<void> {
  await page.getByLabel('Your question').fill(text)
  await page.getByRole('button', { name: 'Ask' }).click()
}

test('the page of the guide shows words, calls and a table', { skip }, async () => {
  business.script('get_order', { do: 'answer', body: { state: 'on its way' } })
  const table = { columns: [{ key: 'n', label: 'Number' }], rows: [{ n: 'A-1001' }] }
  model.play(
    [{ call: 'get_order', with: { number: 'A' } }],
    ['It is on its way.\n', `\`\`\`block:table\n${JSON.stringify(table)}\n\`\`\`\n`],
  )
  await ask('Where is my order?')
  const answer = page.getByLabel('assistant')
  await answer.getByText('It is on its way.').waitFor()
  await answer.getByText('get_order').waitFor()
  await answer.getByRole('cell', { name: 'A-1001' }).waitFor()
  assert.deepEqual(faults, [])
})

test('a customer confirms a write on it, and it tells what became of it and what a person wrote', {
  skip,
}, async () => {
  business.script('cancel_order', { do: 'answer', body: { done: true } })
  model.play([{ call: 'cancel_order', with: { number: 'A-1' } }], ['It waits.'])
  await ask('Cancel A-1')
  const card = page.getByRole('group').filter({ hasText: 'Cancel order (number: A-1) waits for a person.' })
  await card.getByRole('button', { name: 'Confirm' }).click()
  await card.waitFor({ state: 'detached' })
  assert.equal(business.callsTo('cancel_order').length, 1)
  await page.getByText(/^Done/).waitFor()
  const { actions } = (
    await house.ask<{ actions: { sessionId: string; status: string }[] }>('GET', '/v1/actions?status=executed', {
      key: shop.apiKey,
    })
  ).body
  assert.equal(actions[0]?.status, 'executed')
  const conversation = `/v1/conversations/${actions[0]?.sessionId}`
  await house.ask('POST', `${conversation}/takeover`, { key: shop.apiKey, body: {} })
  await house.ask('POST', `${conversation}/messages`, { key: shop.apiKey, body: { text: 'I am here now.' } })
  await page.getByText('I am here now.').waitFor()
  await ask('Good')
  await page.getByText('A person has your message.').waitFor()
  assert.deepEqual(faults, [])
})
