import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { setBack } from '../../../testkit/set-back.ts'
import { unlisted } from '../../kernel/db/index.ts'
import { eventsOf, trailOf } from '../../writes/actions/fixtures/trails.ts'
import { buttonOf, type SlackMessage, signed, wordsOf } from './fixtures/slack-server.ts'
import { ANA, BELA, openSlackShop, type SlackShop, STRANGER } from './fixtures/slack-shop.ts'

let shop: SlackShop
before(async () => {
  shop = await openSlackShop()
})
after(() => shop.close())

const trail = async (actionId: string, at = shop) =>
  (await at.house.database.database.rows(trailOf, { tenantId: at.tenant.tenantId, actionId })).map(({ event }) => event)
const sends = (at = shop) => {
  const seen = at.endpoint.play((_seen, response) => void response.end('{"done":true}'))
  return () => seen.filter(({ body }) => body.mode === 'execute').length
}
const hasButtons = (message: SlackMessage) =>
  [buttonOf(message, 'confirm'), buttonOf(message, 'reject')].map((one) => one !== undefined)

test('a write that waits is posted whole: what would be sent, its risk, who asked, who is needed, and until when', async () => {
  await shop.put('/v1/policy', { rules: [{ roles: ['manager'], approvers: 2 }] })
  const { actionId, message } = await shop.staged(
    'refund_order',
    { number: 'A-17', note: '*bold* <https://evil.example|x>\u202egnp' },
    { 'x-service-user-id': '7' },
  )
  await shop.put('/v1/policy', { rules: [] })
  const said = wordsOf(message)
  for (const part of [
    'Refund order',
    'A-17',
    'Risk: low',
    'Asked by Ana',
    '2 people must approve',
    'Roles that may: manager',
    'refund_order',
  ])
    assert.ok(said.includes(part), `${part} is missing from ${said}`)
  // What a stranger wrote is plain text, and a sign that turns it around is told.
  const value = message.blocks.flatMap(({ fields = [] }) => fields).find(({ text }) => text.includes('bold'))
  assert.deepEqual(value, { type: 'plain_text', text: '*bold* <https://evil.example|x>[U+202E]gnp', emoji: false })
  assert.match(said, /<!date\^\d{10}\^/)
  assert.deepEqual(hasButtons(message), [true, true])
  assert.equal(new URL(buttonOf(message, 'open')?.url ?? '').searchParams.get('action'), actionId)
})

test('a click approves as its person, runs the write once, and the message says so without buttons', async () => {
  const executed = sends()
  const { actionId, message } = await shop.staged()
  await shop.click(message, 'confirm', { by: BELA })
  const { status } = await shop.look(actionId)
  assert.deepEqual([status, executed()], ['executed', 1])
  assert.deepEqual(hasButtons(message), [false, false])
  assert.match(wordsOf(message), /Done by Bela/)
  const [approved] = await shop.house.database.database
    .rows(trailOf, { tenantId: shop.tenant.tenantId, actionId })
    .then((rows) => rows.filter(({ event }) => event === 'approved'))
  assert.deepEqual([approved?.userId, approved?.source], [8, 'slack'])
  const events = await shop.house.database.database.rows(eventsOf, { tenantId: shop.tenant.tenantId, actionId })
  assert.ok(events.some(({ event }) => event === 'action.executed'))
})

test('a click rejects, and nothing runs', async () => {
  const executed = sends()
  const { actionId, message } = await shop.staged()
  await shop.click(message, 'reject')
  assert.deepEqual([(await shop.look(actionId)).status, executed()], ['rejected', 0])
  assert.match(wordsOf(message), /Rejected by Ana/)
})

test('whoever approves what was rejected before hears so, and nothing runs', async () => {
  const executed = sends()
  const { actionId, message } = await shop.staged()
  const seenBefore = structuredClone(message)
  await shop.click(message, 'reject')
  const told = shop.slack.told.length
  await shop.click(seenBefore, 'confirm', { by: BELA })
  assert.deepEqual([(await shop.look(actionId)).status, executed()], ['rejected', 0])
  assert.match(shop.slack.told.slice(told).find(({ user }) => user === BELA)?.text ?? '', /Rejected\. Nothing was run/)
})

test('a forged, a late and an unsigned click are one refusal, and decide nothing', async () => {
  const { actionId, message } = await shop.staged()
  const { slack, tenant } = shop
  const now = Math.floor(Date.now() / 1000)
  const good = slack.click(message, 'confirm', { by: ANA })
  const { 'x-slack-signature': signature = '', ...unsigned } = good.headers
  const refused = [
    await shop.send(slack.click(message, 'confirm', { by: ANA, secret: 'another secret' })),
    await shop.send(slack.click(message, 'confirm', { by: ANA, at: now - 301 })),
    await shop.send(slack.click(message, 'confirm', { by: ANA, at: now + 400 })),
    await shop.send({ raw: good.raw, headers: unsigned }),
    await shop.send({ raw: good.raw, headers: { ...good.headers, 'x-slack-signature': signature.toUpperCase() } }),
    await shop.send({ raw: `${good.raw}&more=1`, headers: good.headers }),
    await shop.send(good, { tenantId: tenant.tenantId + 1000 }),
    await shop.send(good, { tenantId: 99999999999 }),
  ]
  for (const { status, error } of refused) {
    assert.deepEqual([status, error?.code], [401, 'invalid_signature'])
    assert.match(error?.message ?? '', /Nothing was decided/)
  }
  assert.equal((await shop.look(actionId)).status, 'pending')
  assert.deepEqual(await trail(actionId), ['proposed'])
})

test('a click that comes again decides nothing more: from Slack, and from whoever recorded it', async () => {
  const executed = sends()
  const { message } = await shop.staged()
  const first = shop.slack.click(message, 'confirm', { by: ANA, actionTs: '1700000500.000001' })
  const answers = await Promise.all([
    shop.send(first),
    shop.send(first),
    shop.send(first, { headers: { 'x-slack-retry-num': '1' } }),
  ])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  )
  assert.deepEqual(answers.map(({ body }) => body.received).sort(), ['click', 'repeated', 'repeated'])
  await shop.settled()
  // Slack signs anew what it sends again.
  const again = signed(first.raw, shop.slack.secret, Math.floor(Date.now() / 1000) + 1)
  assert.equal((await shop.send(again, { headers: { 'x-slack-retry-num': '2' } })).body.received, 'repeated')
  assert.equal(executed(), 1)
})

test('two people who click at once run it once', async () => {
  const executed = sends()
  const { actionId, message } = await shop.staged()
  const clicks = [ANA, BELA].map((by) => shop.send(shop.slack.click(message, 'confirm', { by })))
  assert.deepEqual(
    (await Promise.all(clicks)).map(({ body }) => body.received),
    ['click', 'click'],
  )
  await shop.settled()
  assert.deepEqual([(await shop.look(actionId)).status, executed()], ['executed', 1])
})

test('of two who must approve, the first click is counted and shown, and the second runs it', async () => {
  await using ruled = await openSlackShop()
  await ruled.put('/v1/policy', { rules: [{ roles: ['manager'], approvers: 2 }] })
  const executed = sends(ruled)
  const { actionId, message } = await ruled.staged()
  await ruled.click(message, 'confirm')
  assert.match(wordsOf(message), /1 of 2 approvals given \(Ana\)\. 1 still needed/)
  assert.deepEqual(hasButtons(message), [true, true])
  await ruled.click(message, 'confirm')
  assert.equal(executed(), 0, 'the same person counts once')
  await ruled.click(message, 'confirm', { by: BELA })
  assert.deepEqual([(await ruled.look(actionId)).status, executed()], ['executed', 1])
})

test('whoever is linked to nobody is told what to do, and decides nothing', async () => {
  const { actionId, message } = await shop.staged()
  const { slack } = shop
  slack.member('U0GUEST', { email: 'ana@shop.example', team: 'T0OTHER' })
  slack.member('U0GONE', { email: 'ana@shop.example', more: { deleted: true } })
  slack.member('U0BOT', { email: 'ana@shop.example', more: { is_bot: true } })
  slack.member('U0NEW', { email: 'ana@shop.example', more: { is_email_confirmed: false } })
  slack.member('U0NOMAIL', {})
  const expected: [by: string, words: RegExp][] = [
    [STRANGER, /nobody in this workspace has your address \(stranger@elsewhere\.example\)\. Ask an administrator/],
    ['U0GUEST', /Only members of the Slack team/],
    ['U0GONE', /members who have left/],
    ['U0BOT', /bots/],
    ['U0NEW', /Confirm your address in Slack/],
    ['U0NOMAIL', /no confirmed e-mail address/],
    ['U0NOBODY', /cannot decide/],
  ]
  for (const [by, words] of expected) {
    await shop.click(message, 'confirm', { by })
    await shop.click(message, 'reject', { by })
    const told = slack.told.filter(({ user }) => user === by)
    assert.equal(told.length, 2, by)
    for (const { text } of told) assert.match(text, words)
  }
  assert.deepEqual(await trail(actionId), ['proposed'])
  assert.deepEqual(hasButtons(message), [true, true])
})

test('an address that two people share decides nothing, nor does somebody inactive', async () => {
  await using other = await openSlackShop()
  await other.put('/v1/users', [
    { userId: 7, displayName: 'Ana', email: 'ana@shop.example', role: 'manager', active: false },
    { userId: 9, displayName: 'Twin', email: 'bela@shop.example', role: 'manager' },
  ])
  const { actionId, message } = await other.staged()
  await other.click(message, 'confirm', { by: ANA })
  await other.click(message, 'confirm', { by: BELA })
  assert.match(other.slack.told[0]?.text ?? '', /no longer act/)
  assert.match(other.slack.told[1]?.text ?? '', /two people in this workspace share your address/)
  assert.deepEqual(await trail(actionId, other), ['proposed'])
})

test('what the policy does not let somebody approve is told to them alone', async () => {
  await using ruled = await openSlackShop()
  await ruled.put('/v1/policy', { rules: [{ roles: ['owner'] }] })
  const { actionId, message } = await ruled.staged()
  await ruled.click(message, 'confirm')
  assert.deepEqual(
    ruled.slack.told.map(({ user, text }) => [user, text]),
    [[ANA, 'You may not approve this. Nothing was run.']],
  )
  assert.deepEqual(await trail(actionId, ruled), ['proposed'])
})

test('a message of a write that was amended decides nothing, says so, and the new one has a message of its own', async () => {
  const executed = sends()
  const { actionId, message } = await shop.staged()
  const stale = shop.slack.click(message, 'confirm', { by: ANA })
  const staleNo = shop.slack.click(message, 'reject', { by: BELA })
  const { body } = await shop.house.ask<{ actionId: string }>('POST', `/v1/actions/${actionId}/amend`, {
    key: shop.key,
    headers: { 'x-service-user-id': '8' },
    body: { arguments: { number: 'A-2' } },
  })
  for (const click of [stale, staleNo]) {
    await shop.send(click)
    await shop.settled()
    assert.match(shop.slack.told.at(-1)?.text ?? '', /It was changed before you clicked.*You decided nothing/)
  }
  await shop.work()
  assert.match(wordsOf(message), /It was changed: another proposal has taken its place/)
  assert.deepEqual(hasButtons(message), [false, false])
  const fresh = shop.latest()
  assert.ok(fresh !== message && wordsOf(fresh).includes('A-2'))
  assert.deepEqual([(await shop.look(body.actionId)).status, executed()], ['pending', 0])
  await shop.click(fresh, 'confirm')
  assert.deepEqual([(await shop.look(body.actionId)).status, executed()], ['executed', 1])
})

test('a click on a write whose endpoint moved decides nothing, and its message no longer offers to approve it', async () => {
  const executed = sends()
  const { actionId, message } = await shop.staged()
  const before = await shop.endpoint.start()
  const setEndpoint = (url: string) => shop.put('/v1/endpoint', { url })
  await setEndpoint(`${before}?moved=1`)
  await shop.click(message, 'confirm', { by: ANA })
  assert.match(shop.slack.told.at(-1)?.text ?? '', /no longer what was proposed/)
  assert.deepEqual(hasButtons(message), [false, true])
  assert.match(wordsOf(message), /propose it again there/)
  await setEndpoint(before)
  assert.deepEqual([(await shop.look(actionId)).status, executed()], ['pending', 0])
})

test('a click about another payload than what would run is stale, as yes and as no', async () => {
  const executed = sends()
  const { actionId, message } = await shop.staged()
  const [postId = ''] = buttonOf(message, 'confirm')?.value?.split(' ') ?? []
  const value = `${postId} ${'0'.repeat(64)}`
  for (const verb of ['confirm', 'reject']) {
    await shop.click(message, verb, { value })
    assert.match(shop.slack.told.at(-1)?.text ?? '', /no longer what would run/)
  }
  assert.deepEqual([(await shop.look(actionId)).status, executed()], ['pending', 0])
})

test('the message of one workspace decides nothing in another, nor does one that was copied into another channel', async () => {
  await using other = await openSlackShop({ slack: { team: 'T0OTHER', secret: 'secret-of-the-other' } })
  const theirs = await other.staged()
  const mine = await shop.staged()
  // Signed by our app, about a message of theirs; and the other way round.
  await shop.click(theirs.message, 'confirm', { by: ANA })
  assert.match(shop.slack.told.at(-1)?.text ?? '', /none that this workspace decides by/)
  const foreign = other.slack.click(mine.message, 'confirm', { by: ANA })
  assert.equal((await shop.send(foreign)).status, 401)
  await shop.click(mine.message, 'confirm', { by: ANA, channel: 'C0ELSEWHERE' })
  assert.match(shop.slack.told.at(-1)?.text ?? '', /none that this workspace decides by/)
  assert.deepEqual(
    [(await shop.look(mine.actionId)).status, (await other.look(theirs.actionId)).status],
    ['pending', 'pending'],
  )
})

test('a message says what was decided elsewhere, and that its time has run out', async () => {
  const decided = await shop.staged()
  await shop.house.ask('POST', `/v1/actions/${decided.actionId}/reject`, {
    key: shop.key,
    headers: { 'x-service-user-id': '8' },
    body: { reason: 'Already paid back' },
  })
  const late = await shop.staged()
  await shop.house.database.database.script(
    `update actions set expires_at = now() - interval '1 second' where action_id = '${late.actionId}'`,
  )
  await shop.work()
  assert.match(wordsOf(decided.message), /Rejected by Bela: Already paid back/)
  assert.equal((await shop.look(late.actionId)).status, 'expired')
  assert.deepEqual(
    [hasButtons(decided.message), hasButtons(late.message)],
    [
      [false, false],
      [false, false],
    ],
  )
  await shop.click(late.message, 'confirm', {
    value: `${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)} ${'0'.repeat(64)}`,
  })
  assert.match(shop.slack.told.at(-1)?.text ?? '', /none that/)
})

test('a click that comes after the window is told that it is late', async () => {
  const executed = sends()
  const { actionId, message } = await shop.staged()
  const click = shop.slack.click(message, 'confirm', { by: ANA })
  await shop.house.database.database.script(
    `update actions set expires_at = now() - interval '1 second' where action_id = '${actionId}'`,
  )
  await shop.send(click)
  await shop.settled()
  assert.equal(shop.slack.told.at(-1)?.text, 'Its time had passed, so nothing was run.')
  assert.deepEqual([(await shop.look(actionId)).status, executed()], ['expired', 0])
  assert.deepEqual(hasButtons(message), [false, false])
})

test('what must be acknowledged, or is too long to be shown whole, is approved in the inbox alone', async () => {
  const executed = sends()
  const risky = await shop.staged('delete_order')
  assert.deepEqual(hasButtons(risky.message), [false, true])
  assert.match(wordsOf(risky.message), /must acknowledge its risk/)
  const [postId = '', hash = ''] = buttonOf(risky.message, 'reject')?.value?.split(' ') ?? []
  await shop.click(risky.message, 'confirm', { value: `${postId} ${hash}` })
  assert.match(shop.slack.told.at(-1)?.text ?? '', /Tick that you have checked it|inbox/)
  const long = await shop.staged('refund_order', { number: 'A-1', note: 'x'.repeat(900) })
  assert.deepEqual(hasButtons(long.message), [false, true])
  assert.match(wordsOf(long.message), /too long to be shown here whole/)
  assert.equal(executed(), 0)
  await shop.click(long.message, 'reject')
  assert.equal((await shop.look(long.actionId)).status, 'rejected')
})

const registerLater = unlisted<unknown, { tenantId: number }>(
  'test.register_later',
  `update users set email_since = now() + interval '1 hour' where tenant_id = $tenantId::int and display_name = 'Carl'`,
)

/** An hour later than the change, for each person whose address has changed since they were registered. */
const changeLater = unlisted<{ displayName: string }, { tenantId: number }>(
  'test.change_address_later',
  `update users set ${setBack('email_since', '-1 hour')}
    where tenant_id = $tenantId::int and email_since > created_at returning display_name as "displayName"`,
)

test('a click decides nothing for a person who was registered with its address afterwards', async () => {
  await using own = await openSlackShop()
  const { actionId, message } = await own.staged()
  const { users } = (
    await own.house.ask<{ users: { id: number; userId: number }[] }>('GET', '/v1/users', { key: own.key })
  ).body
  const ana = users.find(({ userId }) => userId === 7)?.id
  assert.equal((await own.house.ask('DELETE', `/v1/users/${ana}`, { key: own.key })).status, 200)
  await own.put('/v1/users', [{ userId: 7, displayName: 'Carl', email: 'ana@shop.example', role: 'manager' }])
  await own.house.database.database.run(registerLater, { tenantId: own.tenant.tenantId })
  await own.click(message, 'confirm', { by: ANA })
  assert.equal((await own.look(actionId)).status, 'pending')
  assert.deepEqual(await trail(actionId, own), ['proposed'])
})

test('a click decides nothing for a person who got its address afterwards, however long they have been registered', async () => {
  await using own = await openSlackShop()
  const { actionId, message } = await own.staged()
  await own.put('/v1/users', [
    { userId: 7, displayName: 'Ana', email: 'ana.new@shop.example', role: 'manager' },
    { userId: 8, displayName: 'Ben', email: 'ana@shop.example', role: 'manager' },
  ])
  const { tenantId } = own.tenant
  const changed = await own.house.database.database.rows(changeLater, { tenantId })
  assert.deepEqual(changed.map(({ displayName }) => displayName).sort(), ['Ana', 'Ben'])
  await own.click(message, 'confirm', { by: ANA })
  assert.equal((await own.look(actionId)).status, 'pending')
  assert.deepEqual(await trail(actionId, own), ['proposed'])
})
