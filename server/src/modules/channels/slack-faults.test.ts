// What goes wrong between us and Slack, and processes that end in the middle of it.
import assert from 'node:assert/strict'
import test from 'node:test'
import { setBack } from '../../../testkit/set-back.ts'
import { claimClick, listLeft, oldClicks } from './click-queries.ts'
import { buttonOf, wordsOf } from './fixtures/slack-server.ts'
import { ANA, openSlackShop, type SlackShop } from './fixtures/slack-shop.ts'

type View = {
  configured: boolean
  fault: { code: string; message: string } | null
  interactionsUrl: string
  channel: string | null
}

const read = async ({ house, key }: SlackShop) =>
  (await house.ask<View>('GET', '/v1/notifications/slack', { key })).body
/** As if every pause were over. */
const pausesOver = ({ house }: SlackShop) =>
  house.database.database.script(
    `update notice_channels set rests_until = now(); update notice_posts set due_at = now(), lease_until = null;
     update slack_clicks set lease_until = now() where settled_at is null`,
  )

test('a token is tried before it is stored, what is not sent stays, and no credential is ever shown', async () => {
  await using shop = await openSlackShop()
  const { house, key, slack, tenant } = shop
  assert.equal(
    (await read(shop)).interactionsUrl,
    `${house.settings.http.publicUrl}/v1/notifications/slack/interactions/${tenant.tenantId}`,
  )
  const refused = await shop.put('/v1/notifications/slack', { botToken: 'xoxb-of-nobody' })
  assert.deepEqual(
    [refused.status, refused.error?.code, refused.error?.reason],
    [400, 'notification_refused', 'invalid_auth'],
  )
  slack.fail('auth.test', { status: 503 })
  const away = await shop.put('/v1/notifications/slack', { botToken: slack.token })
  assert.deepEqual([away.status, away.error?.code], [503, 'notification_unavailable'])
  const moved = await shop.put('/v1/notifications/slack', { channel: 'C0OTHER' })
  assert.deepEqual([moved.status, moved.body.channel], [200, 'C0OTHER'])
  const { actionId, message } = await shop.staged()
  await shop.click(message, 'confirm')
  assert.equal((await shop.look(actionId)).status, 'executed', 'the stored secrets are still the old ones')
  for (const text of [refused.text, moved.text, JSON.stringify(await read(shop)), house.logged.join('')])
    for (const secret of [slack.token, slack.secret, 'xoxb-of-nobody'])
      assert.ok(!text.includes(secret), text.slice(0, 200))
  const other = await house.tenant('Another shop')
  const first = await house.ask('PUT', '/v1/notifications/slack', {
    key: other.apiKey,
    body: { botToken: slack.token },
  })
  assert.deepEqual([first.status, first.error?.code], [400, 'invalid_request'])
  assert.match(first.error?.message ?? '', /`signingSecret` is needed the first time/)
  assert.equal((await house.ask<View>('GET', '/v1/notifications/slack', { key: other.apiKey })).body.configured, false)
  assert.deepEqual((await house.ask('DELETE', '/v1/notifications/slack', { key })).body, { deleted: true })
  assert.equal((await shop.send(slack.click(message, 'reject', { by: ANA, value: 'x' }))).status, 401)
})

test('what Slack does not take is told as a fault, waits, and is posted when it is mended', async () => {
  await using shop = await openSlackShop()
  const { house, key, slack } = shop
  const stage = () =>
    house.ask('POST', '/v1/actions', { key, body: { tool: 'refund_order', arguments: { number: 'A-1' } } })
  for (const [how, code] of [
    [{ error: 'not_in_channel' }, 'not_in_channel'],
    [{ status: 429, headers: { 'retry-after': '30' } }, 'ratelimited'],
    [{ status: 502 }, 'unreachable'],
  ] as const) {
    const before = slack.messages.length
    slack.fail('chat.postMessage', how)
    await stage()
    await shop.work()
    assert.deepEqual([slack.messages.length, (await read(shop)).fault?.code], [before, code])
    await pausesOver(shop)
    await shop.work()
    assert.deepEqual([slack.messages.length, (await read(shop)).fault], [before + 1, null])
  }
})

test('while Slack cannot say who clicked, the click waits, and is decided when it can', async () => {
  await using shop = await openSlackShop()
  const { slack } = shop
  const { actionId, message } = await shop.staged()
  slack.fail('users.info', { status: 500 })
  await shop.send(slack.click(message, 'confirm', { by: ANA }))
  await shop.house.app.settled()
  assert.equal((await shop.look(actionId)).status, 'pending')
  await pausesOver(shop)
  await shop.work()
  assert.equal((await shop.look(actionId)).status, 'executed')
})

test('a click that nobody could decide for long is told that it decided nothing', async () => {
  await using shop = await openSlackShop()
  const { slack } = shop
  const { actionId, message } = await shop.staged()
  slack.fail('users.info', { error: 'missing_scope' }, Number.POSITIVE_INFINITY)
  await shop.send(slack.click(message, 'confirm', { by: ANA }))
  await shop.house.app.settled()
  assert.equal((await read(shop)).fault?.code, 'missing_scope')
  for (let turn = 0; turn < 6; turn++) {
    await pausesOver(shop)
    await shop.work()
  }
  assert.match(slack.told.at(-1)?.text ?? '', /could not be decided in time/)
  assert.equal((await shop.look(actionId)).status, 'pending')
})

test('a click whose process ended before it decided is taken up by another, and one that had decided runs nothing again', async () => {
  await using shop = await openSlackShop()
  const { house, slack, tenant, endpoint } = shop
  const seen = endpoint.play((_seen, response) => void response.end('{"done":true}'))
  const { actionId, message } = await shop.staged()
  const [postId = '', hash = ''] = buttonOf(message, 'confirm')?.value?.split(' ') ?? []
  const left = (settled: string) =>
    house.database.database.script(
      `insert into slack_clicks (tenant_id, click_id, post_id, verb, payload_hash, team_id, member_id, place, message, settled_at, lease, lease_until)
       values (${tenant.tenantId}, 'left', '${postId}', 'confirm', '${hash}', '${slack.team}', '${ANA}', '${message.channel}', '${message.ts}',
               ${settled}, gen_random_uuid(), now() - interval '1 second')
       on conflict (tenant_id, click_id) do update set settled_at = excluded.settled_at, lease = excluded.lease`,
    )
  await left('null')
  await shop.work()
  assert.deepEqual(
    [(await shop.look(actionId)).status, seen.filter(({ body }) => body.mode === 'execute').length],
    ['executed', 1],
  )
  // As if the process had ended after the write and before it wrote that down.
  await left('null')
  await shop.work()
  assert.equal(seen.filter(({ body }) => body.mode === 'execute').length, 1)
  assert.equal(slack.told.length, 0)
})

test('the sweep leaves a click alone until the lease of the process that decides it has ended', async () => {
  await using shop = await openSlackShop()
  const { slack } = shop
  const { database } = shop.house.database
  const { tenantId } = shop.tenant
  const { actionId, message } = await shop.staged()
  const [postId = '', hash = ''] = buttonOf(message, 'confirm')?.value?.split(' ') ?? []
  await database.script(
    `insert into slack_clicks (tenant_id, click_id, post_id, verb, payload_hash, team_id, member_id, place, message, lease, lease_until)
     values (${tenantId}, 'leased', '${postId}', 'confirm', '${hash}', '${slack.team}', '${ANA}', '${message.channel}', '${message.ts}',
             gen_random_uuid(), now() + interval '1 minute')`,
  )
  const isListed = async () =>
    (await database.rows(listLeft, { passedOver: [], limit: 10 })).some(({ id }) => id === 'leased')
  assert.equal(await isListed(), false)
  // Another process may have claimed it since the sweep listed it.
  assert.equal(await database.one(claimClick, { tenantId, clickId: 'leased', leaseSeconds: 60 }), undefined)
  await shop.work()
  assert.equal((await shop.look(actionId)).status, 'pending')
  await pausesOver(shop)
  assert.equal(await isListed(), true)
  await shop.work()
  assert.equal((await shop.look(actionId)).status, 'executed')
})

test('one sweep posts every due message of a workspace, and another decides every click that was left', async () => {
  await using shop = await openSlackShop()
  const { house, slack, key } = shop
  const { database } = house.database
  const runOnce = async (name: string): Promise<unknown> =>
    await house.app.duties.find((duty) => duty.name === name)?.work(new AbortController().signal)
  for (const number of ['A-1', 'A-2'])
    await house.ask('POST', '/v1/actions', { key, body: { tool: 'refund_order', arguments: { number } } })
  await runOnce('notices')
  assert.equal(await runOnce('channels.posts'), 2)
  assert.equal(slack.messages.length, 2)
  for (const [n, message] of slack.messages.entries()) {
    const [postId = '', hash = ''] = buttonOf(message, 'confirm')?.value?.split(' ') ?? []
    await database.script(
      `insert into slack_clicks (tenant_id, click_id, post_id, verb, payload_hash, team_id, member_id, place, message, lease, lease_until)
       values (${shop.tenant.tenantId}, 'left-${n}', '${postId}', 'confirm', '${hash}', '${slack.team}', '${ANA}', '${message.channel}',
               '${message.ts}', gen_random_uuid(), now())`,
    )
  }
  assert.equal(await runOnce('channels.clicks'), 2)
})

test('forgets only the clicks that the sweep listed', async () => {
  await using shop = await openSlackShop()
  const { database } = shop.house.database
  const { tenantId } = shop.tenant
  await database.script(
    `insert into slack_clicks (tenant_id, click_id, post_id, verb, payload_hash, team_id, member_id, place, message, settled_at, received_at, lease_until)
     select ${tenantId}, id, gen_random_uuid(), 'confirm', 'h', 'T', 'U', 'C', '1', now(), now() - interval '31 days', now()
       from unnest(array['one', 'other']) as id`,
  )
  assert.deepEqual(await database.rows(oldClicks.forget, { tenantIds: [tenantId], ids: ['one'] }), [
    { tenantId, taken: 1 },
  ])
  const left = await database.rows(oldClicks.list, { passedOver: [], limit: 10 })
  assert.deepEqual(left, [{ tenantId, id: 'other' }])
})

test('a message whose process ended before it wrote down where it stands is sent again; both decide, and both are rewritten', async () => {
  await using shop = await openSlackShop()
  const { house, slack } = shop
  const { actionId, message } = await shop.staged()
  await house.database.database.script(
    `update notice_posts set place = null, message = null, shown = null, due_at = now()`,
  )
  await shop.work()
  const [first, second] = slack.messages
  assert.ok(first === message && second !== undefined, 'it was sent again')
  await shop.click(first, 'confirm')
  assert.equal((await shop.look(actionId)).status, 'executed')
  for (const one of [first, second]) assert.match(wordsOf(one), /Done by Ana/)
})

test('a message that is clicked before anybody wrote down where it stands is adopted', async () => {
  await using shop = await openSlackShop()
  const { house, slack } = shop
  const { actionId, message } = await shop.staged()
  await house.database.database.script(
    `update notice_posts set place = null, message = null, shown = null, due_at = now() + interval '1 hour'`,
  )
  await shop.click(message, 'reject')
  await shop.work()
  assert.deepEqual([(await shop.look(actionId)).status, slack.messages.length], ['rejected', 1])
  assert.match(wordsOf(message), /Rejected by Ana/)
})

test('a message that was deleted in Slack is left, and the others of the channel are written', async () => {
  await using shop = await openSlackShop()
  const { house, slack, key } = shop
  const gone = await shop.staged()
  slack.fail('chat.update', { error: 'message_not_found' })
  await house.ask('POST', `/v1/actions/${gone.actionId}/reject`, {
    key,
    headers: { 'x-service-user-id': '7' },
    body: {},
  })
  await shop.work()
  assert.equal((await read(shop)).fault, null)
  const next = await shop.staged()
  await shop.click(next.message, 'reject')
  assert.match(wordsOf(next.message), /Rejected by Ana/)
})

test('a reminder is a message of its own, and both say how the write ended', async () => {
  await using shop = await openSlackShop({ settings: { 'AI:Approvals:RemindAt': '0.5' } })
  const { house, slack } = shop
  const { message } = await shop.staged()
  await house.database.database.script(
    `update actions set ${setBack('created_at', '13 hours')}, ${setBack('expires_at', '13 hours')}`,
  )
  await shop.work()
  const reminder = shop.latest()
  assert.ok(reminder !== message && slack.messages.length === 2)
  assert.match(wordsOf(reminder), /Still waits for a decision/)
  await shop.click(reminder, 'reject')
  for (const one of [message, reminder]) assert.match(wordsOf(one), /Rejected by Ana/)
})

test('what is signed by nobody spends the allowance of its address, and clicks spend none of it', async () => {
  await using shop = await openSlackShop({ settings: { 'RateLimit:AnonymousPerMinute': '2' } })
  const { slack } = shop
  const { message } = await shop.staged()
  const forged = () => shop.send(slack.click(message, 'confirm', { by: ANA, secret: 'forged' }))
  assert.deepEqual([(await forged()).status, (await forged()).status, (await forged()).status], [401, 401, 429])
  for (let turn = 0; turn < 3; turn++)
    assert.equal((await shop.send(slack.click(message, 'open', { by: ANA }))).body.received, 'nothing')
  await shop.click(message, 'reject')
})

test('a message that Slack refuses for a reason of its own keeps no other from being posted', async () => {
  await using shop = await openSlackShop()
  const { house, key, slack } = shop
  slack.fail('chat.postMessage', { error: 'msg_blocks_too_long' })
  await house.ask('POST', '/v1/actions', { key, body: { tool: 'refund_order', arguments: { number: 'A-1' } } })
  await shop.work()
  assert.deepEqual([slack.messages.length, (await read(shop)).fault?.code], [0, 'msg_blocks_too_long'])
  // It would be due again in two seconds, which a slow machine needs for the next one.
  await house.database.database.script(`update notice_posts set due_at = now() + interval '1 hour'`)
  const { message } = await shop.staged('refund_order', { number: 'A-2' })
  await shop.click(message, 'confirm')
  assert.match(wordsOf(message), /Done by Ana/)
})

test('a message in a channel that was left for another keeps none of the new one from being posted', async () => {
  await using shop = await openSlackShop()
  const { house, key, slack } = shop
  const old = await shop.staged()
  await shop.put('/v1/notifications/slack', { channel: 'C0OTHER' })
  slack.fail('chat.update', { error: 'channel_not_found' })
  await house.ask('POST', `/v1/actions/${old.actionId}/reject`, {
    key,
    headers: { 'x-service-user-id': '7' },
    body: {},
  })
  await shop.work()
  const { message } = await shop.staged('refund_order', { number: 'A-2' })
  await shop.click(message, 'reject')
  assert.match(wordsOf(message), /Rejected by Ana/)
})

test('where the credentials do not open, a stranger is counted, and they can be set again', async () => {
  await using shop = await openSlackShop({ settings: { 'RateLimit:AnonymousPerMinute': '2' } })
  const { house, slack, tenant } = shop
  const { message } = await shop.staged()
  await house.database.database.script(
    `update notice_channels set sealed = 'enc:v1:none:AAAAAAAAAAAAAAAA:AAAA' where tenant_id = ${tenant.tenantId}`,
  )
  const forged = () => shop.send(slack.click(message, 'confirm', { by: ANA, secret: 'forged' }))
  const answers = [await forged(), await forged(), await forged()]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [503, 503, 429],
  )
  const set = await shop.put('/v1/notifications/slack', { botToken: slack.token, signingSecret: slack.secret })
  assert.equal(set.status, 200, set.text)
  await shop.click(message, 'confirm')
  assert.match(wordsOf(message), /Done by Ana/)
})
