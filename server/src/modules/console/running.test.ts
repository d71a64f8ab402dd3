// What the pages of a running workspace show.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { PageBrowser } from '../../../testkit/page-browser.ts'
import { ceilingOf } from '../../pages/console-kit/index.ts'
import { emptyWorkspace, running, set, workspace } from './fixtures/owner.ts'

const csv = async (browser: PageBrowser, path: string): Promise<string> => {
  const { text, headers } = await browser.get(path)
  assert.match(String(headers['content-type']), /^text\/csv/)
  return text
}

test('what waits is shown with where it is decided, and nothing can be decided here', async () => {
  const { browser, stage } = await running()
  assert.match((await browser.get('/console/waiting')).text, /Nothing waits for a decision/)
  const actionId = await stage('<A-1>')
  const { text } = await browser.get('/console/waiting')
  assert.match(text, /Refund order[\s\S]*high risk[\s\S]*&lt;A-1&gt;/)
  assert.ok(text.includes(`href="/inbox/actions/${actionId}"`))
  assert.doesNotMatch(text.replace(/<header[\s\S]*<\/header>/, ''), /<form method="post"/)
  assert.match(text, /href="\/console\/waiting" aria-current="page">Waiting <span class="count">1<\/span>/)
  assert.match((await browser.get('/console')).text, /Waiting for a decision<\/dt><dd>1</)
  assert.match((await browser.get('/console/waiting?status=indeterminate')).text, /There is none/)
})

test('the audit is filtered, given as a file, and checked', async () => {
  const { browser, ask, stage } = await running()
  assert.match((await browser.get('/console/audit')).text, /Nothing has happened yet/)
  const [first, second] = [await stage('A-1'), await stage('A-2')]
  await ask('POST', `/v1/actions/${first}/reject`, { reason: 'no <b>way</b>' })
  const { text } = await browser.get('/console/audit')
  assert.match(text, /Rejected<span class="meta">no &lt;b&gt;way&lt;\/b&gt;[\s\S]*Proposed/, 'the newest first')
  assert.ok(text.includes(second.slice(0, 13)))
  const { text: one } = await browser.get(`/console/audit?action=${second}`)
  assert.doesNotMatch(one, new RegExp(first.slice(0, 13)))
  const { text: rejected } = await browser.get('/console/audit?event=rejected&tool=refund_order&from=2020-01-01')
  assert.ok(rejected.includes(first.slice(0, 13)) && !rejected.includes(second.slice(0, 13)))
  assert.match((await browser.get('/console/audit?tool=nothing')).text, /Nothing fits these filters/)
  const file = await csv(browser, '/console/audit/audit.csv?event=rejected')
  const same = await ask('GET', '/v1/audit?decision=rejected')
  assert.equal(file.trim().split('\r\n').length, 2, file)
  assert.ok(file.includes(first) && same.text.includes(first))
  await browser.get('/console/audit')
  await browser.post('/console/audit/verify', {})
  assert.match(browser.page.text, /It is whole: 3 events/)
})

test('what is archived is told where the list ends and where the chain is checked', async () => {
  const { browser, ask, stage } = await running()
  const [first, second] = [await stage('A-1'), await stage('A-2')]
  await ask('POST', `/v1/actions/${second}/reject`, { reason: 'no' })
  const { tenantId } = (await ask<{ tenantId: number }>('GET', '/v1/account')).body
  const archived = (
    id: number,
  ) => `insert into audit_archives (tenant_id, first_id, last_id, month, previous_hash, last_hash,
      last_at, file, file_sha256, archived_at)
    select e.tenant_id, coalesce(a.last_id, 0) + 1, e.id, '2020-01-01', coalesce(a.last_hash, repeat('0', 64)), e.hash, e.occurred_at,
           'x', 'x', now()
      from audit_events e left join audit_archives a on a.tenant_id = e.tenant_id
     where e.tenant_id = ${tenantId} and e.id = ${id}`
  await set.house.database.database.script(archived(2))
  const { text } = await browser.get('/console/audit')
  assert.match(text, /Rejected[\s\S]*Events up to 2 are no longer shown here/)
  assert.doesNotMatch(text, new RegExp(`action=${first}`))
  await browser.post('/console/audit/verify', {})
  assert.match(browser.page.text, /It is whole: 1 events.*They follow event 2, the last that is archived/)
  await set.house.database.database.script(archived(3))
  const empty = (await browser.get('/console/audit')).text
  assert.match(empty, /Events up to 3 are no longer shown here/)
  assert.doesNotMatch(empty, /Nothing has happened yet/)
})

test('older events of the audit are a page away, and none is left out', async () => {
  const { browser, stage } = await running()
  const all = new Set<string>()
  for (let made = 0; made < 60; made++) all.add(await stage(`A-${made}`))
  const seen = new Set<string>()
  let path: string | undefined = '/console/audit'
  for (let page = 0; path !== undefined && page < 5; page++) {
    const { text }: { text: string } = await browser.get(path)
    for (const [, id = ''] of text.matchAll(/href="\?action=([0-9a-f-]{36})"/g)) seen.add(id)
    path = /href="(\/console\/audit\?before=\d+)"/.exec(text)?.[1]
  }
  assert.deepEqual(seen, all)
})

test('a conversation is read with its calls and what became of its proposals, and erased', async () => {
  const { browser, ask } = await running()
  assert.match((await (await emptyWorkspace()).get('/console/conversations')).text, /Nobody has talked/)
  const said = await ask<{ sessionId: string }>('POST', '/v1/chat', { prompt: 'Where is order <A-17>?' })
  const { sessionId } = said.body
  const { text: list } = await browser.get('/console/conversations')
  assert.ok(list.includes(`/console/conversations/${sessionId}`))
  assert.match((await browser.get('/console/conversations?rating=up')).text, /No conversation fits/)
  const { text } = await browser.get(`/console/conversations/${sessionId}`)
  assert.match(text, /Where is order &lt;A-17&gt;\?/)
  assert.match(text, /Assistant/)
  const at = `/console/conversations/${sessionId}/erase`
  await browser.post(at, {})
  assert.match(browser.page.text, /confirmation_required/)
  await browser.post(at, { sure: 'yes' })
  assert.doesNotMatch(browser.page.text, new RegExp(sessionId))
  assert.equal((await ask('GET', `/v1/conversations/${sessionId}`)).status, 404)
  assert.equal((await browser.get(`/console/conversations/${sessionId}`)).status, 404)
})

test('nobody sees another workspace’s conversation, or erases it', async () => {
  const { ask } = await running()
  const { sessionId } = (await ask<{ sessionId: string }>('POST', '/v1/chat', { prompt: 'Hello' })).body
  const stranger = (await workspace()).browser
  const { status, text } = await stranger.get(`/console/conversations/${sessionId}`)
  assert.equal(status, 404)
  assert.doesNotMatch(text, /Hello/)
  await stranger.get('/console')
  await stranger.post(`/console/conversations/${sessionId}/erase`, { sure: 'yes' })
  assert.equal((await ask('GET', `/v1/conversations/${sessionId}`)).status, 200)
})

test('outcomes and spend are drawn with their figures beside them', async () => {
  const { browser, ask, stage } = await running()
  const actionId = await stage('A-1')
  await ask('POST', `/v1/actions/${actionId}/reject`, {})
  await ask('POST', '/v1/chat', { prompt: 'Where is order A-17?' })
  await set.house.app.flush()
  for (const days of ['14', '30', '90']) {
    const { text } = await browser.get(`/console/outcomes?days=${days}`)
    assert.match(text, /role="img" aria-label="Proposals, in all: executed 0, rejected 1, expired 0\."/)
    assert.equal((text.match(/<th scope="row">\d{4}-\d\d-\d\d</g) ?? []).length, Number(days))
  }
  const { text } = await browser.get('/console/usage')
  assert.match(text, /No model is set up here[\s\S]*There is no ceiling/)
})

test('a plot ends at a round number that no bar exceeds', () => {
  for (const [most, ceiling] of [
    [0, 1],
    [1, 1],
    [3, 5],
    [10, 10],
    [11, 20],
    [499, 500],
    [501, 1000],
    [0.3, 1],
  ] as const) {
    assert.equal(ceilingOf(most), ceiling)
  }
})

test('people are invited, set inactive and removed; a policy is kept; who could approve is tried on what waits', async () => {
  const { browser, ask, stage } = await running()
  const actionId = await stage('A-1')
  await browser.get('/console/people')
  assert.match(browser.page.text, /No policy is in force[\s\S]*A write that waits/)
  const person = { email: 'ana@shop.example', displayName: 'Ana <Beridze>', role: 'manager', language: 'ka' }
  await browser.post('/console/people/invite', person)
  assert.match(browser.page.text, /ana@shop\.example is registered/)
  assert.match(browser.page.text, /Ana &lt;Beridze&gt;/)
  await browser.post('/console/people/invite', { ...person, email: 'nobody' })
  assert.match(browser.page.text, /invalid_email[\s\S]*value="nobody"/)
  const { users } = (await ask<{ users: { id: number; email: string | null }[] }>('GET', '/v1/users')).body
  const id = String(users.find(({ email }) => email === person.email)?.id)
  const trial = `/console/people?trial=${actionId}`
  assert.match((await browser.get(trial)).text, /These could approve it now:[\s\S]*Ana &lt;Beridze&gt;/)
  await browser.post('/console/people/policy', { policy: '{"rules": [{"roles": ["owner"]}]}' })
  assert.match(browser.page.text, /class="note good"/)
  assert.match((await browser.get(trial)).text, /Nobody could approve it now/)
  await browser.post('/console/people/policy', {
    policy: '{"rules": [{"minValue": 9007199254740993.50, "roles": ["manager"]}]}',
  })
  assert.ok(
    (await browser.get('/console/people')).text.includes('9007199254740993.50'),
    'a number stays as it was written',
  )
  await browser.post('/console/people/policy', { policy: '{' })
  assert.match(browser.page.text, /This is not JSON[\s\S]*>\n\{<\/textarea>/)
  await browser.post('/console/people/policy', { policy: '{"rules": "none"}' })
  assert.match(browser.page.text, /class="note bad"/)
  await browser.post('/console/people/deactivate', { id })
  assert.match(browser.page.text, /Changed\. It holds[\s\S]*Ana &lt;Beridze&gt;(?:(?!<\/tr>)[\s\S])*inactive/)
  await browser.post('/console/people/activate', { id })
  await browser.post('/console/people/remove', { id })
  assert.doesNotMatch(browser.page.text, /Ana &lt;Beridze&gt;/)
  assert.match(browser.page.text, /Maka Colleague/)
  assert.match((await (await emptyWorkspace()).get('/console/people')).text, /Nobody is registered yet/)
  await browser.post('/console/people/remove', { id })
  assert.match(browser.page.text, /user_not_found/)
})

test('a file of the trail is whole where it has several pages, and several at once are bounded by what one address may hold', async () => {
  const { browser, ask, stage } = await running()
  await stage('A-1')
  const { tenantId } = (await ask<{ tenantId: number }>('GET', '/v1/account')).body
  await set.house.database.database.script(
    `insert into audit_events (tenant_id, action_id, tool, event, user_id, source, payload_hash)
     select tenant_id, action_id, tool, 'approved', user_id, source, payload_hash
       from audit_events, generate_series(1, 1500) where tenant_id = ${tenantId} and event = 'proposed'`,
  )
  const lines = (await csv(browser, '/console/audit/audit.csv')).trimEnd().split('\r\n')
  assert.deepEqual([lines.length, lines.filter((line) => line.startsWith('id,')).length], [1502, 1])
  const several = await Promise.all(
    Array.from({ length: 4 }, () =>
      set.house.ask('GET', '/console/audit/audit.csv', { headers: { cookie: browser.cookie } }),
    ),
  )
  assert.deepEqual(several.map(({ status }) => status).sort(), [200, 429, 429, 429])
})
