// The page of the channels: what is set, tried, tested and taken away, and no credential on it a second time.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type OpenHouse, openHouse } from '../../../../testkit/house.ts'
import { PageBrowser } from '../../../../testkit/page-browser.ts'
import { console } from '../../console/module.ts'
import { openSlackServer, type SlackServer } from '../fixtures/slack-server.ts'
import { openTeamsServer, type TeamsServer } from '../fixtures/teams-server.ts'
import { channels } from '../module.ts'

let house: OpenHouse
let slack: SlackServer
let teams: TeamsServer
before(async () => {
  slack = await openSlackServer()
  teams = await openTeamsServer()
  house = await openHouse({
    modules: [channels, console],
    settings: { 'Notifications:Slack:ApiUrl': slack.url, 'Notifications:Teams:Hosts': '127.0.0.1' },
  })
})
after(async () => {
  await house.close()
  await slack.close()
  await teams.close()
})

async function shop() {
  const { apiKey: key } = await house.tenant('Tea & Clay')
  const browser = new PageBrowser(house)
  await browser.get('/console')
  await browser.post('/console/enter', { key })
  await browser.get('/console/channels')
  return { key, browser }
}

const SET = { botToken: '', signingSecret: '', channel: 'C0APPROVALS' }

test('Slack is set, tested, seen to fail and taken away', async () => {
  const { browser } = await shop()
  const at = '/console/channels/slack'
  assert.match(browser.page.text, /It is not set[\s\S]*\/v1\/notifications\/slack\/interactions\/\d+/)
  assert.doesNotMatch(browser.page.text, /channels\/test-slack/)
  const refused = await browser.post(at, { ...SET, botToken: 'xoxb-of-nobody', signingSecret: slack.secret })
  assert.match(refused.text, /class="note bad"[\s\S]*notification_refused/)
  slack.fail('auth.test', { status: 503 })
  const away = await browser.post(at, { ...SET, botToken: slack.token, signingSecret: slack.secret })
  assert.deepEqual([away.status, /class="note bad"[\s\S]*notification_unavailable/.test(away.text)], [503, true])
  const set = await browser.post(at, { ...SET, botToken: slack.token, signingSecret: slack.secret })
  assert.match(set.text, /Slack accepted the token[\s\S]*Set, and never shown again/)
  assert.match(set.text, /It is posted in C0APPROVALS/)
  // A field that is left empty keeps what was set.
  await browser.post(at, { ...SET, channel: 'C0OTHER' })
  assert.match(browser.page.text, /It is posted in C0OTHER/)
  const before = slack.messages.length
  await browser.post('/console/channels/test-slack', {})
  assert.match(browser.page.text, /It arrived/)
  assert.deepEqual(
    [slack.messages.length, slack.messages.at(-1)?.text],
    [before + 1, 'This is a test. What waits for a decision will stand here.'],
  )
  slack.fail('chat.postMessage', { error: 'not_in_channel' })
  await browser.post('/console/channels/test-slack', {})
  assert.match(browser.page.text, /It did not arrive\.[\s\S]*invite @[\s\S]*not_in_channel/)
  for (const { text } of [refused, away, set, browser.page])
    for (const secret of [slack.token, slack.secret, 'xoxb-of-nobody']) assert.ok(!text.includes(secret))
  await browser.post('/console/channels/remove-slack', {})
  assert.match(
    browser.page.text,
    /Nothing more is posted there[\s\S]*It is not set|It is not set[\s\S]*Nothing more is posted there/,
  )
})

test('Teams is set, tested, seen to fail and taken away, and its address is shown by its host alone', async () => {
  const { browser } = await shop()
  const foreign = await browser.post('/console/channels/teams', { url: 'https://evil.example/hook?sig=s3cret' })
  assert.match(foreign.text, /class="note bad"[\s\S]*invalid_endpoint/)
  assert.ok(!foreign.text.includes('s3cret'))
  await browser.post('/console/channels/teams', { url: teams.url })
  assert.match(browser.page.text, /It is posted in 127\.0\.0\.1/)
  const before = teams.cards.length
  await browser.post('/console/channels/test-teams', {})
  assert.match(browser.page.text, /It arrived/)
  assert.equal(teams.cards.length, before + 1)
  assert.match(teams.cards.at(-1) ?? '', /This is a test/)
  teams.answer(404)
  await browser.post('/console/channels/test-teams', {})
  assert.match(browser.page.text, /It did not arrive\.[\s\S]*http_404/)
  assert.ok(!browser.page.text.includes('secret-of-the-workflow'))
  await browser.post('/console/channels/remove-teams', {})
  assert.doesNotMatch(browser.page.text, /It is posted in/)
})

test('it says whose click counts, and a test of what is not set says what to do', async () => {
  const { key, browser } = await shop()
  const people = [
    { userId: 1, displayName: 'Ana', email: 'ana@shop.example' },
    { userId: 2, displayName: 'Gio <b>', email: 'both@shop.example' },
    { userId: 3, displayName: 'Nino', email: 'Both@shop.example' },
    { userId: 4, displayName: 'Lali' },
    { userId: 5, displayName: 'Dato', email: 'dato@shop.example', active: false },
  ]
  assert.equal((await house.ask('PUT', '/v1/users', { key, body: people })).status, 200)
  const { text } = await browser.get('/console/channels')
  const said = [
    ...text.matchAll(/<tr><th scope="row">(.*?)<\/th><td>.*?<\/td><td><span class="badge \w+">(.*?)<\/span>/g),
  ]
  assert.deepEqual(said.map(([, name, why]) => [name, why]).sort(), [
    ['Ana', 'counts'],
    ['Dato', 'decides nothing: inactive'],
    ['Gio &lt;b&gt;', 'decides nothing: two people have this address'],
    ['Lali', 'is nobody’s: no address is registered'],
    ['Nino', 'decides nothing: two people have this address'],
  ])
  for (const kind of ['slack', 'teams']) {
    const { status, error } = await house.ask('POST', `/v1/notifications/${kind}/test`, { key })
    assert.deepEqual([status, error?.code], [400, 'invalid_request'])
    assert.match(error?.message ?? '', new RegExp(`PUT /v1/notifications/${kind}`))
  }
})
