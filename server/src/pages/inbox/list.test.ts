// What the list shows of a write, what it lets somebody decide, and what it says afterwards.
import assert from 'node:assert/strict'
import test from 'node:test'
import { newAddress } from '../../../testkit/mailed-house.ts'
import { statement } from '../../kernel/db/index.ts'
import { seen } from '../kit/index.ts'
import { Browser, card, look, set, shop, signedIn, stage } from './fixtures/visitor.ts'

const boxes = (text: string) => [...text.matchAll(/name="pick" value="([0-9a-f-]{36}) /g)].map(([, id]) => id)

async function decide(browser: Browser, decision: string, picks: readonly string[]) {
  const form = new URLSearchParams([
    ['token', browser.hidden().token ?? ''],
    ['decision', decision],
    ...picks.map((pick): [string, string] => ['pick', pick]),
  ])
  const answer = await set.house.app.server.inject({
    method: 'POST',
    url: '/inbox/decide',
    payload: form.toString(),
    headers: { cookie: browser.cookie, 'content-type': 'application/x-www-form-urlencoded' },
  })
  return String(answer.headers.location)
}

test('a value cannot read as another argument, and what is cut is opened before it is decided', async () => {
  const { tenant, email } = await shop()
  const forged = await stage(tenant, 'refund_order', { number: 'A-17, amount: 5', amount: 99 })
  const long = await stage(tenant, 'refund_order', { number: 'A-18', a: 'z'.repeat(240), amount: 99_999 })
  const { page } = await signedIn(email)
  assert.ok(page.text.includes('number: &quot;A-17, amount: 5&quot;, amount: 99'), page.text)
  assert.deepEqual(boxes(page.text), [forged])
  assert.match(page.text, new RegExp(`${long}[\\s\\S]*Too long to decide from the list`))
  assert.equal((await look(tenant, forged)).summary, 'Refund order (number: A-17, amount: 5, amount: 99)')
})

test('what became of several names each of them', async () => {
  const { tenant, email } = await shop()
  const ids = [
    await stage(tenant, 'refund_order', { number: 'A-1' }),
    await stage(tenant, 'refund_order', { number: 'A-2' }),
  ]
  const browser = await signedIn(email)
  const picks = await Promise.all(ids.map(async (id) => `${id} ${(await look(tenant, id)).payloadHash}`))
  assert.match(browser.page.text, /Select “Refund order \(number: &quot;A-2&quot;\)”/)
  await browser.get(await decide(browser, 'reject', picks))
  for (const number of ['A-1', 'A-2'])
    assert.ok(browser.page.text.includes(`>Refund order (number: &quot;${number}&quot;)</a>: Rejected`), number)
})

test('what became of a decision is told to the person who decided, and only of a write', async () => {
  const [mine, theirs] = [await shop(), await shop()]
  const waiting = await stage(theirs.tenant)
  const [me, them] = [await signedIn(mine.email), await signedIn(theirs.email)]
  assert.equal(await decide(me, 'reject', ['Your session is blocked. Call us ']), '/inbox?said=none')
  const location = await decide(me, 'reject', [`${waiting} ${'0'.repeat(64)}`])
  const said = /said=([^&]+)/.exec(location)?.[1] ?? assert.fail(location)
  await me.get(location)
  assert.match(me.page.text, /What you decided/)
  await them.get(location)
  assert.doesNotMatch(them.page.text, /What you decided/)
  await them.get(`${card(waiting)}?said=${said}`)
  assert.doesNotMatch(them.page.text, /no longer waiting/)
  const colleague = newAddress()
  await set.house.ask('PUT', '/v1/users', { key: mine.key, body: [{ displayName: 'Beka', email: colleague }] })
  const other = await signedIn(colleague)
  await other.get(location)
  assert.doesNotMatch(other.page.text, /What you decided/, 'nor to a colleague')
})

test('signs that are not seen are told once for each run, and the page stays light', () => {
  const told = (text: string) =>
    seen(text)
      .map((part) => (typeof part === 'string' ? part : part.text))
      .join('')
  assert.equal(
    told('a\u200b\u200b\u200bb\u200c'),
    'a<span class="sign">U+200B ×3</span>b<span class="sign">U+200C</span>',
  )
  assert.ok(told('\u200b'.repeat(80_000)).length < 100)
  const mixed = seen('a\u200b\u200c'.repeat(20_000))
  assert.ok(mixed.length < 1_000, String(mixed.length))
  assert.match(String(mixed.at(-1)), /^a?\[U\+200B\]|^\[U\+200C\]/)
  assert.equal(String(mixed.at(-1)).match(/[\u200b\u200c]/u), null)
})

test('a session that ended while a reason was typed: the way in says that nothing was decided', async () => {
  const { tenant, email } = await shop()
  const actionId = await stage(tenant)
  const [tab, other] = [await signedIn(email), new Browser()]
  await tab.get(card(actionId))
  other.cookie = tab.cookie
  await other.get('/inbox')
  await other.post('/inbox/sign-out', {})
  await tab.post(card(actionId), { decision: 'reject', reason: 'Too much' })
  assert.equal(tab.page.status, 403)
  assert.match(tab.page.text, /nothing was decided and nothing was changed/)
  assert.equal((await look(tenant, actionId)).status, 'pending')
  // A browser whose cookie has gone with the session says no more than its form.
  const bare = new Browser()
  await bare.post(card(actionId), { decision: 'reject', reason: 'Too much' })
  assert.match(bare.page.text, /nothing was decided and nothing was changed/)
  assert.doesNotMatch(bare.page.text, /Too much/)
})

const expire = statement<unknown, { tenantId: number; actionId: string; hours: number }>(
  'test.expire_in',
  `update actions set expires_at = now() + $hours::float8 * interval '1 hour'
    where tenant_id = $tenantId::int and action_id = $actionId::uuid`,
)

test('what runs out first stands first, on every page of the list', async () => {
  const { tenant, email } = await shop()
  const { tenantId } = tenant
  const hours = Array.from({ length: 22 }, (_, at) => ((at * 7) % 22) + 1)
  const ids = new Map<number, string>()
  for (const one of hours) {
    const actionId = await stage(tenant, 'refund_order', { number: `A-${one}` })
    ids.set(one, actionId)
    await set.house.database.database.run(expire, { tenantId, actionId, hours: one })
  }
  const browser = await signedIn(email)
  const shown = boxes(browser.page.text)
  await browser.get(/href="(\/inbox\?before=[^"]+)"/.exec(browser.page.text)?.[1] ?? assert.fail('no second page'))
  const sorted = [...hours].sort((one, other) => one - other).map((one) => ids.get(one))
  assert.deepEqual([...shown, ...boxes(browser.page.text)], sorted)
})

test('the history has every outcome, and opens on all of them', async () => {
  const { tenant, key, email } = await shop()
  const [done, refused, waiting] = [await stage(tenant), await stage(tenant), await stage(tenant)]
  await set.house.ask('POST', `/v1/actions/${refused}/reject`, { key, body: {} })
  const browser = await signedIn(email)
  await browser.get(card(done))
  await browser.post(card(done), { decision: 'confirm' })
  await browser.get('/inbox/history')
  const rows = () => [...browser.page.text.matchAll(/href="\/inbox\/actions\/([0-9a-f-]{36})"/g)].map(([, id]) => id)
  assert.deepEqual(rows(), [refused, done], 'the newest first')
  assert.ok(!browser.page.text.includes(waiting))
  await browser.get('/inbox/history?status=rejected')
  assert.deepEqual(rows(), [refused])
})
