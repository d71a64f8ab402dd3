import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test, { after, before } from 'node:test'
import { LIMITS } from '../../../testkit/fresh-database.ts'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import {
  linkIn,
  type MailedHouse,
  newAddress,
  newClient,
  open,
  openMailedHouse,
  type Signup,
  VERIFY_URL,
} from '../../../testkit/mailed-house.ts'
import { openDatabase, statement } from '../../kernel/db/index.ts'
import { sealVerifyLink } from './index.ts'

let house: MailedHouse
before(async () => {
  house = await openMailedHouse()
})
after(() => house.close())

const post = (body: unknown, from = newClient(), at: OpenHouse = house) =>
  at.ask<Signup>('POST', '/v1/signup', { body, from })
const codeOf = async (...asked: Parameters<typeof post>) => (await post(...asked)).error?.code

test('a stranger becomes a tenant in one request, and the workspace works at once', async () => {
  const { status, body } = await post({ email: 'ana@shop.example', name: ' Corner  Shop ', plan: 'Enterprise' })
  assert.equal(status, 200)
  const { apiKey, signingSecret, tenantId } = body
  assert.match(apiKey, /^tth_[0-9a-f]{48}$/)
  assert.match(signingSecret, /^whsec_/)
  const { apiBaseUrl } = body
  assert.deepEqual(
    { ...body, nextSteps: body.nextSteps.length > 2, notice: body.notice.length > 40 },
    {
      tenantId,
      name: 'Corner  Shop',
      plan: 'free',
      apiKey,
      keyPrefix: apiKey.slice(0, 12),
      signingSecret,
      emailConfirmed: false,
      confirmation: {
        sentTo: 'ana@shop.example',
        resend: { method: 'POST', path: '/v1/account/confirmation' },
        waits: ['public_origin', 'third_party_mail', 'paid_plan', 'provider_grant', 'child_tenant'],
      },
      exportLines: [
        `export TETHER_BASE_URL='${apiBaseUrl}'`,
        `export TETHER_API_KEY='${apiKey}'`,
        `export TETHER_SIGNING_SECRET='${signingSecret}'`,
      ],
      mcpUrl: `${apiBaseUrl}/mcp`,
      apiBaseUrl,
      nextSteps: true,
      notice: true,
    },
  )
  const account = await house.ask('GET', '/v1/account', { key: apiKey })
  assert.equal(account.body.selfServe, true)
  assert.equal(account.body.emailConfirmed, false)
  assert.equal(account.body.plan, 'free')
  const [mail] = await house.mailsTo('ana@shop.example')
  assert.match(linkIn(mail), new RegExp(`^${VERIFY_URL}\\?confirm=[\\w-]+$`))
  assert.equal(mail?.headers.get('content-language'), 'en')
  for (const secret of [apiKey, apiKey.slice(4), signingSecret])
    assert.ok(!house.sink.mails.some(({ raw }) => raw.includes(secret)))
})

test('the confirmation mail speaks Georgian when it is asked to, else English', async () => {
  for (const [language, heading] of [
    ['ka', /დაადასტურეთ თქვენი მისამართი/],
    ['ka-GE', /დაადასტურეთ თქვენი მისამართი/],
    ['fr', /Confirm your address/],
    ['kazakh', /Confirm your address/],
  ] as const) {
    const email = newAddress()
    await house.signUp({ email, language })
    const [mail] = await house.mailsTo(email)
    assert.match(mail?.headers.get('subject') ?? '', /Tether/)
    assert.equal(mail?.parts.length, 2)
    for (const { text } of mail?.parts ?? []) assert.match(text, heading)
  }
})

test('what is no address, no name, or a disposable address is refused with its own code', async () => {
  const name = 'Shop'
  for (const email of [
    '',
    'ana',
    'ana@',
    '@shop.example',
    'a b@shop.example',
    'ana@shop',
    'ana@shop.example\r\nBcc: x@y.example',
    `${'a'.repeat(65)}@shop.example`,
    7,
    null,
  ]) {
    assert.equal(await codeOf({ email, name }), 'invalid_email', String(email))
  }
  for (const wrong of ['', 'x', ' x ', 'x'.repeat(121), 'two\nlines', 'x\u2028y', 'x'.repeat(100_000), 7, null]) {
    assert.equal(await codeOf({ email: newAddress(), name: wrong }), 'invalid_name', String(wrong).slice(0, 20))
  }
  for (const email of ['x@mailinator.com', 'x@MAILINATOR.com', 'x@inbox.mailinator.com', 'x+tag@mailinator.com']) {
    assert.equal(await codeOf({ email, name }), 'disposable_email', email)
  }
  assert.equal(await codeOf({ name }), 'invalid_email')
  assert.equal(await codeOf({ email: newAddress() }), 'invalid_name')
})

test('domains that the deployment blocks are refused like disposable ones, subdomains too', async () => {
  await using own = await openHouse({
    settings: open({ 'Signup:VerifyEmail': 'false', 'Signup:BlockedEmailDomains': 'rival.example, Worse.Example' }),
  })
  for (const email of ['x@rival.example', 'x@mail.rival.example', 'x@worse.example']) {
    assert.equal(await codeOf({ email, name: 'Shop' }, newClient(), own), 'disposable_email')
  }
  assert.equal((await post({ email: 'x@notrival.example', name: 'Shop' }, newClient(), own)).status, 200)
})

test('one person has one workspace, whatever the spelling of the address', async () => {
  await house.signUp({ email: 'maria.k@gmail.com' })
  for (const email of ['maria.k@gmail.com', 'mariak@gmail.com', 'm.a.riak+shop@googlemail.com', 'MARIAK@GMAIL.COM ']) {
    assert.equal(await codeOf({ email, name: 'Again' }), 'email_already_used', email)
  }
  assert.equal((await post({ email: 'maria.k@shop.example', name: 'Other person' })).status, 200)
})

test('a deleted workspace leaves its address used for ever', async () => {
  const { apiKey } = await house.signUp({ email: 'gone@shop.example', name: 'Gone' })
  assert.equal((await house.ask('DELETE', '/v1/account', { key: apiKey, body: { confirm: 'Gone' } })).status, 200)
  assert.equal(await codeOf({ email: 'gone+again@shop.example', name: 'Again' }), 'email_already_used')
})

test('a client address makes three workspaces a day, and a whole IPv6 network counts as one', async () => {
  const [client, neighbour] = [newClient(), newClient()]
  for (let made = 0; made < 3; made++) await house.signUp({ from: client })
  const { status, error, headers } = await post({ email: newAddress(), name: 'Fourth' }, client)
  assert.equal(status, 429)
  assert.equal(error?.code, 'rate_limited')
  assert.match(
    error?.message ?? '',
    /^One network address can create 3 workspaces in 24 hours \(`Signup:MaxPerIpPerDay`\), .* Try again in 24 hours\.$/,
  )
  const wait = Number(headers['retry-after'])
  assert.ok(wait > 86_300 && wait <= 86_400, String(wait))
  await house.signUp({ from: neighbour })
  for (let made = 0; made < 3; made++) await house.signUp({ from: `2001:db8:1:2::${made + 1}` })
  assert.equal(await codeOf({ email: newAddress(), name: 'Fourth' }, '2001:db8:1:2:ffff::9'), 'rate_limited')
  await house.database.database.run(aDayLater)
  await house.signUp({ from: client })
})

const aDayLater = statement<unknown>(
  'test.a_day_later',
  `update signup_ledger set at = at - interval '24 hours' where kind in ('signup', 'link')`,
)
/** Counts every workspace, so its tests open an empty house. */
const countTenants = statement<{ count: number }>('test.count_tenants', 'select count(*)::int as count from tenants')

test('all callers together make as many an hour as the setting says; a deletion gives nothing back', async () => {
  await using own = await openHouse({
    settings: open({ 'Signup:VerifyEmail': 'false', 'Signup:MaxGlobalPerHour': '2' }),
  })
  const first = await post({ email: newAddress(), name: 'First' }, newClient(), own)
  await own.ask('DELETE', '/v1/account', { key: first.body.apiKey, body: { confirm: 'First' } })
  assert.equal((await post({ email: newAddress(), name: 'Second' }, newClient(), own)).status, 200)
  const { error, headers } = await post({ email: newAddress(), name: 'Third' }, newClient(), own)
  assert.equal(error?.code, 'rate_limited')
  assert.match(
    error?.message ?? '',
    /^This deployment creates 2 workspaces in an hour.* Try again in (59|60) minutes\.$/,
  )
  assert.ok(Number(headers['retry-after']) > 3_500 && Number(headers['retry-after']) <= 3_600)
  await own.database.database.script(`update signup_ledger set at = at - interval '1 hour'`)
  assert.equal((await post({ email: newAddress(), name: 'Third' }, newClient(), own)).status, 200, 'an hour later')
})

test('a limit of 0 lets nobody through, and is no failure', async () => {
  for (const name of ['Signup:MaxPerIpPerDay', 'Signup:MaxGlobalPerHour']) {
    await using own = await openHouse({ settings: open({ 'Signup:VerifyEmail': 'false', [name]: '0' }) })
    assert.equal(await codeOf({ email: newAddress(), name: 'Nobody' }, newClient(), own), 'rate_limited', name)
  }
})

test('behind a proxy or the relay the visitor is counted, and nobody can pretend to be another one', async () => {
  const secret = randomBytes(24).toString('hex')
  await using own = await openHouse({
    settings: open({
      'Signup:VerifyEmail': 'false',
      'Signup:MaxPerIpPerDay': '1',
      'Forwarding:RelaySecret': secret,
      'Forwarding:KnownProxies': '192.0.2.7',
    }),
  })
  const from = async (socket: string, headers: Record<string, string>) =>
    (await own.ask('POST', '/v1/signup', { body: { email: newAddress(), name: 'Shop' }, from: socket, headers })).status
  assert.equal(await from('192.0.2.7', { 'x-forwarded-for': '203.0.113.1' }), 200)
  assert.equal(await from('192.0.2.7', { 'x-forwarded-for': '203.0.113.1' }), 429)
  assert.equal(await from('192.0.2.7', { 'x-forwarded-for': '203.0.113.1, 203.0.113.2' }), 200)
  const relay = { 'x-service-relay': secret, 'x-service-visitor': '203.0.113.3' }
  assert.equal(await from('198.51.100.1', relay), 200)
  assert.equal(await from('198.51.100.2', relay), 429)
  const wrong = {
    'x-service-relay': `${secret.slice(0, -1)}x`,
    'x-service-visitor': '203.0.113.4',
    'x-forwarded-for': '203.0.113.5',
  }
  assert.equal(await from('198.51.100.3', wrong), 200)
  assert.equal(await from('198.51.100.3', { ...wrong, 'x-service-visitor': '203.0.113.6' }), 429)
})

test('closed, without a salt, without mail or without a page for the link: the code says which, and nothing is created', async () => {
  const cases: [settings: Record<string, string>, status: number, code: string, reason?: string][] = [
    [{ 'Signup:Enabled': 'false' }, 404, 'signup_disabled'],
    [{ 'Signup:IpHashSalt': '' }, 503, 'signup_unavailable', 'misconfigured'],
    [{ 'Mail:Transport': 'none' }, 503, 'signup_unavailable', 'mail_not_configured'],
    [{ 'Signup:VerifyUrl': '' }, 503, 'signup_unavailable', 'misconfigured'],
  ]
  for (const [settings, status, code, reason] of cases) {
    await using own = await openMailedHouse(settings, { empty: true })
    const reply = await post({ email: newAddress(), name: 'Shop' }, newClient(), own)
    assert.equal(reply.status, status)
    assert.equal(reply.error?.code, code)
    assert.equal(reply.error?.reason, reason)
    assert.equal((await own.database.database.one(countTenants))?.count, 0)
  }
})

test('a mail server that refuses at once is said before anything is created; one that refuses later is tried again', async () => {
  await using own = await openMailedHouse()
  const late = newAddress()
  own.sink.refuse(late, 'for now', 1)
  await own.signUp({ email: late })
  assert.equal((await own.mailsTo(late)).length, 0)
  await using down = await openMailedHouse({ 'Mail:Smtp:Port': '9', 'Mail:Smtp:TimeoutSeconds': '1' }, { empty: true })
  const reply = await post({ email: newAddress(), name: 'Shop' }, newClient(), down)
  assert.equal(reply.status, 503)
  assert.equal(reply.error?.reason, 'mail_failed')
  assert.equal((await down.database.database.one(countTenants))?.count, 0)
})

test('where addresses are not confirmed a sign-up is live at once and needs no mail', async () => {
  await using own = await openHouse({ settings: open({ 'Signup:VerifyEmail': 'false', 'Signup:VerifyUrl': '' }) })
  const { body } = await post({ email: 'ana@shop.example', name: 'Shop' }, newClient(), own)
  assert.equal(body.emailConfirmed, true)
  assert.equal(body.confirmation, null)
  const read = await own.ask('GET', '/v1/account/confirmation', { key: body.apiKey })
  const { confirmedAt, ...rest } = read.body
  assert.ok(confirmedAt)
  const resend = { method: 'POST', path: '/v1/account/confirmation' }
  assert.deepEqual(rest, {
    required: false,
    confirmed: true,
    email: 'ana@shop.example',
    heldMail: 0,
    waits: [],
    resend,
  })
})

test('the operator is told of a new workspace, without a key and without a link that a stranger wrote', async () => {
  await using own = await openMailedHouse({ 'Signup:NotifyAddress': 'ops@tether.example' })
  const { apiKey, signingSecret, tenantId } = await own.signUp({ name: 'Visit evil.example/now' })
  const [mail] = await own.mailsTo('ops@tether.example')
  assert.match(mail?.parts[0]?.text ?? '', new RegExp(`^Workspace: ${tenantId}$`, 'm'))
  for (const said of [apiKey, signingSecret, 'evil.example', 'evil']) assert.ok(!mail?.raw.includes(said), said)
})

test('a stranger’s name cannot carry a message to somebody else’s mailbox', async () => {
  for (const name of ['Win at evil.example', 'http://evil', 'call www', 'you@evil', 'a/b', 'x'.repeat(61)]) {
    const email = newAddress()
    await house.signUp({ email, name })
    const [mail] = await house.mailsTo(email)
    for (const { text } of mail?.parts ?? []) assert.ok(!text.includes(name), name)
  }
  const email = newAddress()
  await house.signUp({ email, name: '<b>Ana & "Co"</b>' })
  const [mail] = await house.mailsTo(email)
  const [text, page] = mail?.parts ?? []
  // It holds a slash, so it is left out; a harmless one is escaped.
  assert.ok(!text?.text.includes('Ana') && !page?.text.includes('Ana'))
  const other = newAddress()
  await house.signUp({ email: other, name: 'Ana <& Co>' })
  const [named] = await house.mailsTo(other)
  assert.ok(named?.parts[0]?.text.includes('“Ana <& Co>”'))
  assert.ok(named?.parts[1]?.text.includes('“Ana &lt;&amp; Co&gt;”'))
})

test('two hundred parallel sign-ups with one address make one tenant, over two instances', async () => {
  await using own = await openMailedHouse({ 'Signup:MaxPerIpPerDay': '1000' }, { empty: true })
  const beside = await secondInstance(own)
  try {
    const spellings = ['race@gmail.com', 'r.ace@gmail.com', 'race+x@googlemail.com', 'RACE@gmail.com']
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, at) =>
        post({ email: spellings[at % 4], name: 'Race' }, '203.0.113.50', at % 2 === 0 ? own : beside.house),
      ),
    )
    const made = replies.filter(({ status }) => status === 200)
    assert.equal(made.length, 1)
    assert.deepEqual(
      [...new Set(replies.filter(({ status }) => status !== 200).map(({ error }) => error?.code))],
      ['email_already_used'],
    )
    assert.equal((await own.database.database.one(countTenants))?.count, 1)
    await own.work()
    assert.equal(own.sink.mails.length, 1)
  } finally {
    await beside.close()
  }
})

test('limits hold across two instances on one database', async () => {
  await using own = await openMailedHouse({ 'Signup:MaxGlobalPerHour': '7' })
  const beside = await secondInstance(own)
  try {
    const both = (at: number) => (at % 2 === 0 ? own : beside.house)
    const ofOne = await Promise.all(
      Array.from({ length: 12 }, (_, at) => post({ email: newAddress(), name: 'Shop' }, '203.0.113.60', both(at))),
    )
    assert.equal(ofOne.filter(({ status }) => status === 200).length, 3)
    const ofAll = await Promise.all(
      Array.from({ length: 12 }, (_, at) => post({ email: newAddress(), name: 'Shop' }, newClient(), both(at))),
    )
    assert.equal(ofAll.filter(({ status }) => status === 200).length, 4)
    const codes = [...ofOne, ...ofAll].flatMap(({ error }) => (error === undefined ? [] : [error.code]))
    assert.deepEqual([...new Set(codes)], ['rate_limited'])
  } finally {
    await beside.close()
  }
})

/** On a real server the second instance has connections of its own; the embedded database has one for everybody. */
async function secondInstance(one: OpenHouse): Promise<{ house: OpenHouse; close(): Promise<void> }> {
  const { url } = one.database
  const at = url === undefined ? undefined : { url, poolSize: 8, prepared: true }
  const own = at === undefined ? undefined : await openDatabase({ ...LIMITS, at, warn: () => {} })
  const beside = own === undefined ? one : { ...one, database: { ...one.database, database: own } }
  const house = await openHouse({ beside })
  return {
    house,
    async close() {
      await house.close()
      await own?.close()
    },
  }
}

test('a link of an earlier version creates the workspace, confirmed, and once', async () => {
  const verify = (token: string, from = newClient()) =>
    house.ask<Signup>('POST', '/v1/signup/verify', { body: { token }, from })
  const wanted = { email: 'early@shop.example', name: 'Early Bird', language: 'en' } as const
  const token = sealVerifyLink(house.app.house, wanted)
  const { status, body } = await verify(token)
  assert.equal(status, 200)
  assert.equal(body.name, 'Early Bird')
  assert.equal(body.emailConfirmed, true)
  assert.equal(body.confirmation, null)
  assert.equal((await verify(token)).error?.code, 'email_already_used')
  assert.equal((await verify(`${token}x`)).error?.code, 'invalid_link')
  const disposable = sealVerifyLink(house.app.house, { ...wanted, email: 'x@mailinator.com' })
  assert.equal((await verify(disposable)).error?.code, 'disposable_email')
  const late = { ...house.app.house, clock: { ...house.app.house.clock, now: () => Date.now() - 3_600_001 } }
  assert.equal((await verify(sealVerifyLink(late, { ...wanted, email: newAddress() }))).error?.code, 'link_expired')
})

test('such a link works once also where an address may have several workspaces', async () => {
  await using own = await openMailedHouse({ 'Signup:MaxPerEmailTotal': '3' })
  const token = sealVerifyLink(own.app.house, { email: 'twice@shop.example', name: 'Twice', language: 'ka' })
  const verify = () => own.ask('POST', '/v1/signup/verify', { body: { token }, from: newClient() })
  assert.equal((await verify()).status, 200)
  assert.equal((await verify()).error?.code, 'invalid_link')
  for (const status of [200, 200, 409]) {
    assert.equal((await post({ email: 'twice@shop.example', name: 'More' }, newClient(), own)).status, status)
  }
})

test('sign-up names the address of /mcp exactly where there is one', async () => {
  const { body } = await post({ email: newAddress(), name: 'Mcp' }, newClient())
  assert.equal(
    'mcpUrl' in body,
    house.app.routes.some(({ path }) => path === '/mcp'),
  )
})
