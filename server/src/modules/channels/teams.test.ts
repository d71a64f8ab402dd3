import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { workOf } from '../../../testkit/mailed-house.ts'
import { setBack } from '../../../testkit/set-back.ts'
import { openTeamsServer, type TeamsServer } from './fixtures/teams-server.ts'
import { channels } from './module.ts'

let house: OpenHouse
let teams: TeamsServer
before(async () => {
  teams = await openTeamsServer()
  house = await openHouse({
    modules: [channels],
    settings: { 'Notifications:Teams:Hosts': '127.0.0.1,logic.azure.com', 'AI:Approvals:RemindAt': '0.5' },
  })
})
after(async () => {
  await house.close()
  await teams.close()
})

async function shop() {
  const { apiKey: key, tenantId } = await house.tenant('Tea & Clay')
  const put = (path: string, body: unknown) => house.ask('PUT', path, { key, body })
  await put('/v1/tools', [{ name: 'refund_order', description: 'Pays an order back, for Teams.', is_write: true }])
  await put('/v1/users', [{ userId: 7, displayName: 'Ana', role: 'manager' }])
  const set = await put('/v1/notifications/teams', { url: teams.url })
  assert.deepEqual([set.status, set.body.host], [200, '127.0.0.1'], set.text)
  const stage = async () => {
    const body = { tool: 'refund_order', arguments: { note: '[a link](https://evil.example) {{DATE(x)}}' } }
    return (await house.ask<{ actionId: string }>('POST', '/v1/actions', { key, body })).body.actionId
  }
  return { key, tenantId, put, stage, set }
}

type Adaptive = { body: { type: string; text?: string }[]; actions: { type: string; url?: string }[] }
const cardIn = (sent: string | undefined): Adaptive => JSON.parse(sent ?? '').attachments[0].content

test('a write is posted as a card whose one link leads to the inbox, and how it ended as another', async () => {
  const { key, stage, tenantId } = await shop()
  const before = teams.cards.length
  const actionId = await stage()
  await workOf(house)
  assert.equal(teams.cards.length, before + 1)
  const { body, actions } = cardIn(teams.cards.at(-1))
  assert.deepEqual(
    actions.map(({ type, url }) => [type, new URL(url ?? '').pathname, new URL(url ?? '').searchParams.get('action')]),
    [['Action.OpenUrl', '/inbox', actionId]],
  )
  assert.match(JSON.stringify(body), /Waits for a decision.*Risk: low.*Runs out \{\{DATE\(.*One person decides/)
  // Marks and functions mean something in a TextBlock, so what a stranger wrote stands in a TextRun.
  for (const { type, text = '' } of body.filter(({ text }) => text !== undefined))
    assert.ok(type === 'TextBlock' && !text.includes('evil.example'), text)
  await house.database.database.script(
    `update actions set ${setBack('created_at', '13 hours')}, ${setBack('expires_at', '13 hours')} where tenant_id = ${tenantId}`,
  )
  await workOf(house)
  assert.match(JSON.stringify(cardIn(teams.cards.at(-1)).body), /Still waits for a decision/)
  const reason = 'Already paid back'
  await house.ask('POST', `/v1/actions/${actionId}/reject`, {
    key,
    headers: { 'x-service-user-id': '7' },
    body: { reason },
  })
  await workOf(house)
  assert.equal(teams.cards.length, before + 3, 'its end is told once, however often it was reminded of')
  assert.match(JSON.stringify(cardIn(teams.cards.at(-1)).body), /Rejected by Ana: Already paid back/)
})

test('what was decided before its card was sent is not told any more', async () => {
  const { key, stage } = await shop()
  const before = teams.cards.length
  const actionId = await stage()
  await house.ask('POST', `/v1/actions/${actionId}/reject`, { key, headers: { 'x-service-user-id': '7' }, body: {} })
  await workOf(house)
  assert.equal(teams.cards.length, before)
})

test('a card goes to the hosts of Teams alone, and its address is never shown', async () => {
  const { key, put, set } = await shop()
  for (const url of [
    'https://evil.example/hook',
    'https://logic.azure.com.evil.example/hook',
    'https://evil-logic.azure.com.example/x',
  ]) {
    const { status, error } = await put('/v1/notifications/teams', { url })
    assert.deepEqual([status, error?.code], [400, 'invalid_endpoint'], url)
  }
  const read = await house.ask('GET', '/v1/notifications/teams', { key })
  assert.deepEqual([read.body.configured, read.body.fault], [true, null])
  for (const text of [read.text, set.text, house.logged.join('')]) assert.ok(!text.includes('secret-of-the-workflow'))
  assert.deepEqual((await house.ask('DELETE', '/v1/notifications/teams', { key })).body, { deleted: true })
  assert.deepEqual((await house.ask('DELETE', '/v1/notifications/teams', { key })).body, { deleted: false })
})

test('a workflow that does not take a card is told as a fault, and gets the card later', async () => {
  const { key, stage, tenantId } = await shop()
  const before = teams.cards.length
  teams.answer(404)
  await stage()
  await workOf(house)
  const faulty = await house.ask<{ fault: { code: string } }>('GET', '/v1/notifications/teams', { key })
  assert.deepEqual([teams.cards.length, faulty.body.fault.code], [before, 'http_404'])
  await house.database.database.script(
    `update notice_channels set rests_until = now() where tenant_id = ${tenantId};
     update notice_posts set due_at = now() where tenant_id = ${tenantId}`,
  )
  await workOf(house)
  const mended = await house.ask('GET', '/v1/notifications/teams', { key })
  assert.deepEqual([teams.cards.length, mended.body.fault], [before + 1, null])
})

test('a card that is refused, or is not answered for long, keeps nobody from being told of the others', async () => {
  const one = await shop()
  const other = await shop()
  const sent = teams.cards.length
  // Its workflow refuses what a stranger wrote there; that of the card after it is taken all the same.
  const refused: string[] = []
  for (const status of [400, 413]) {
    teams.answer(status)
    refused.push(await one.stage())
    await workOf(house)
    await one.stage()
    await workOf(house)
  }
  const isRefused = (card: string) => refused.some((actionId) => card.includes(actionId))
  // On a slow machine the two that were refused are due again by now.
  assert.equal(teams.cards.slice(sent).filter((card) => !isRefused(card)).length, 2)
  const faulty = await house.ask<{ fault: unknown }>('GET', '/v1/notifications/teams', { key: one.key })
  assert.equal(faulty.body.fault, null, 'what was taken since is in order')
  // A workspace with many cards goes in turn with one that has one.
  for (let count = 0; count < 30; count++) await one.stage()
  await other.put('/v1/users', [{ userId: 7, displayName: 'The other one', role: 'manager' }])
  await house.ask('POST', '/v1/actions', {
    key: other.key,
    headers: { 'x-service-user-id': '7' },
    body: { tool: 'refund_order', arguments: {} },
  })
  const before = teams.cards.length
  await workOf(house)
  const cards = teams.cards.slice(before).filter((card) => !isRefused(card))
  const place = cards.findIndex((card) => card.includes('The other one'))
  assert.equal(cards.length, 31)
  assert.ok(place >= 0 && place < 12, `it was the ${place + 1}th`)
})

test('a date that a stranger writes in braces is told as they wrote it', async () => {
  const { stage } = await shop()
  await stage()
  await workOf(house)
  const runs = JSON.stringify(cardIn(teams.cards.at(-1)).body.filter(({ type }) => type === 'RichTextBlock'))
  assert.match(runs, /evil\.example/)
  assert.doesNotMatch(runs, /\{\{/)
})
