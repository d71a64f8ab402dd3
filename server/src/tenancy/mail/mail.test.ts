import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test, { after, before } from 'node:test'
import { z } from 'zod'
import { type NewTenant, type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { type MailSink, openMailSink } from '../../../testkit/mail-sink.ts'
import { openKeyring } from '../../kernel/crypto/index.ts'
import { statement } from '../../kernel/db/index.ts'
import { resealRows } from '../sealing/index.ts'
import {
  anyKind,
  type Letter,
  listMailDeliveries,
  type MailRoom,
  type MailToQueue,
  openMail,
  queueMail,
  sealedMails,
} from './index.ts'

let sink: MailSink
let house: OpenHouse
let mail: MailRoom
let tenant: NewTenant
let composed: (() => Promise<Letter | null>) | undefined

const LETTER: Letter = {
  subject: 'An order',
  heading: 'An order came in',
  paragraphs: ['It is a long sentence that has to be broken into several lines when it is written as plain text only.'],
  facts: [['Order', 'A-1001']],
  code: '<script src="x"></script>',
  button: { label: 'Look at it', url: 'https://shop.example/orders?id=1&from=mail' },
  small: ['You get this because you asked for it.'],
}
const orderKind = anyKind({
  kind: 'order',
  fields: z.object({ subject: z.string().optional() }),
  compose: async (_, { fields }) =>
    composed === undefined ? { ...LETTER, ...fields, subject: fields.subject ?? LETTER.subject } : composed(),
})

before(async () => {
  sink = await openMailSink()
  house = await openHouse({
    settings: {
      'Mail:Transport': 'smtp',
      'Mail:From': 'Tether <no-reply@tether.example>',
      'Mail:Smtp:Host': '127.0.0.1',
      'Mail:Smtp:Port': String(sink.port),
      'Mail:Smtp:Security': 'none',
      'Mail:Smtp:User': 'tether',
      'Mail:Smtp:Password': 'a-password-of-mail',
      'Mail:Smtp:TimeoutSeconds': '20',
    },
  })
  mail = openMail(house.app.house, { kinds: [orderKind] })
  tenant = await house.tenant()
})
after(async () => {
  mail.close()
  await house.close()
  await sink.close()
})

let people = 0
const someone = () => `reader${++people}@shop.example`
const queue = (more: Partial<MailToQueue> & { to: string }, at = house.app.house) =>
  at.db.transaction((tx) =>
    queueMail(tx, at, { tenantId: tenant.tenantId, kind: 'order', language: 'en', fields: {}, ...more }),
  )
const send = (room = mail) => room.duties[0]?.work(new AbortController().signal) ?? Promise.resolve(0)
const mailsTo = (address: string) => sink.mails.filter(({ to }) => to.includes(address))
const deliveries = async (limit = 50) =>
  (await listMailDeliveries(house.app.house, tenant.tenantId, { limit })).deliveries

const makeDue = statement<unknown>('test.make_mails_due', `update mails set due_at = now() where state = 'queued'`)
const later = () => house.database.database.run(makeDue)
const rows = statement<{ state: string; sealed: string | null; attempt: number }, { tenantId: number }>(
  'test.mail_rows',
  `select state, sealed, attempt from mails
    where tenant_id = $tenantId::int order by created_at desc, mail_id desc`,
)
const newestRow = async () => (await house.database.database.rows(rows, { tenantId: tenant.tenantId }))[0]

test('a mail is text and page, says who sent it, and keeps its id on every attempt', async () => {
  const to = someone()
  assert.equal(await queue({ to, language: 'ka' }), 'queued')
  sink.refuse(to, 'for now', 1)
  assert.equal(await send(), 1)
  await later()
  assert.equal(await send(), 1)
  const [taken, ...more] = mailsTo(to)
  assert.equal(more.length, 0)
  assert.equal(taken?.from, 'no-reply@tether.example')
  assert.equal(taken?.user, 'tether')
  assert.equal(taken?.headers.get('auto-submitted'), 'auto-generated')
  assert.equal(taken?.headers.get('content-language'), 'ka')
  assert.equal(taken?.headers.get('subject'), 'An order')
  const [delivered, refused] = await deliveries()
  assert.match(taken?.headers.get('message-id') ?? '', new RegExp(`^<${delivered?.eventId}@tether\\.example>$`))
  assert.equal(refused?.eventId, delivered?.eventId)
  const [text, page] = taken?.parts ?? []
  assert.match(text?.type ?? '', /^text\/plain/)
  for (const said of [
    'An order came in',
    'Order: A-1001',
    '\nhttps://shop.example/orders?id=1&from=mail',
    '<script src="x">',
  ]) {
    assert.ok(text?.text.replaceAll('\r\n', '\n').includes(said), said)
  }
  assert.ok((text?.text.split('\r\n') ?? []).every((line) => line.length <= 76))
  assert.match(page?.type ?? '', /^text\/html/)
  assert.ok(page?.text.includes('<html lang="ka">'))
  assert.ok(page?.text.includes('href="https://shop.example/orders?id=1&amp;from=mail"'))
  assert.ok(!page?.text.includes('<script'))
  assert.ok(!/<[^>]*\s(?:src|background)=|url\(|@import|<link|<img/i.test(page?.text ?? ''), 'a mail loads nothing')
})

test('every attempt is listed, without the address, and the last words are those of the receiver', async () => {
  const to = someone()
  await queue({ to })
  sink.refuse(to, 'for now', 1)
  await send()
  const [row] = await deliveries()
  const { attemptedAt, retryAt, durationMs, eventId, ...rest } = row ?? ({} as NonNullable<typeof row>)
  assert.deepEqual(rest, {
    event: 'order',
    actionId: null,
    sessionId: null,
    url: null,
    destination: 'mail',
    delivered: false,
    statusCode: 451,
    error: 'the receiver answered 451',
    attempt: 1,
  })
  assert.match(eventId, /^evt_/)
  assert.ok(durationMs >= 0 && Date.parse(attemptedAt) <= Date.now() + 1000)
  const wait = Date.parse(retryAt ?? '') - Date.parse(attemptedAt)
  assert.ok(wait >= 1_900 && wait <= 2_500, `${wait}`)
  await later()
  await send()
  const of = { eventId, limit: 50 }
  const list = async (more: object) =>
    (await listMailDeliveries(house.app.house, tenant.tenantId, { ...of, ...more })).deliveries
  assert.deepEqual(
    (await list({})).map(({ attempt, delivered, statusCode }) => [attempt, delivered, statusCode]),
    [
      [2, true, 250],
      [1, false, 451],
    ],
  )
  assert.equal((await list({ failed: true })).length, 1)
  assert.equal((await list({ failed: false }))[0]?.error, null)
  assert.equal((await list({ event: 'order' })).length, 2)
  assert.equal((await list({ event: 'other' })).length, 0)
  assert.equal((await list({ limit: 1 })).length, 1)
  const setInternal = (internal: boolean) =>
    house.database.database.script(`update mails set internal = ${internal} where mail_id = '${eventId}'`)
  await setInternal(true)
  assert.deepEqual(await list({}), [], 'a mail to the operator is not in the list of the workspace')
  await setInternal(false)
  assert.deepEqual((await listMailDeliveries(house.app.house, tenant.tenantId + 1, of)).deliveries, [])
  assert.ok(!JSON.stringify(await deliveries()).includes(to))
  assert.ok(!house.logged.some((line) => line.includes(to)), 'no address in the log')
  assert.ok(!house.logged.some((line) => line.includes('a-password-of-mail')))
})

test('six attempts, with waits that double, and then it is given up and nothing of it is kept', async () => {
  const to = someone()
  await queue({ to })
  sink.refuse(to, 'for now', Number.POSITIVE_INFINITY)
  const waits: number[] = []
  for (let attempt = 1; attempt <= 6; attempt++) {
    await send()
    const [{ attemptedAt, retryAt } = assert.fail('no attempt')] = await deliveries()
    if (retryAt !== null) waits.push((Date.parse(retryAt) - Date.parse(attemptedAt)) / 1000)
    if (attempt < 6) {
      assert.equal((await newestRow())?.state, 'queued')
      // A busy machine may take the first seconds for nothing.
      if (attempt >= 3) assert.equal(await send(), 0, 'not before its time')
    }
    await later()
  }
  const row = await newestRow()
  assert.deepEqual([row?.state, row?.sealed, row?.attempt], ['failed', null, 6])
  for (const [at, seconds] of [2, 4, 8, 16, 32].entries()) {
    const wait = waits[at] ?? 0
    // To the millisecond, as times are told.
    assert.ok(wait >= seconds - 0.002 && wait <= seconds * 1.2 + 0.002, `${at}: ${wait}`)
  }
  assert.equal(await send(), 0)
  assert.equal((await deliveries())[0]?.retryAt, null)
})

test('a recipient that does not exist is not asked again', async () => {
  const to = someone()
  await queue({ to })
  sink.refuse(to, 'for good', Number.POSITIVE_INFINITY)
  await send()
  assert.equal((await newestRow())?.state, 'failed')
  assert.equal((await deliveries())[0]?.statusCode, 550)
})

test('a server that hangs up, or is not there, is tried again', async () => {
  const to = someone()
  await queue({ to })
  sink.refuse(to, 'hang up', 1)
  await send()
  const [row] = await deliveries()
  assert.equal(row?.statusCode, null)
  assert.match(row?.error ?? '', /^unreachable: /)
  const settings = {
    ...house.settings,
    mail: { ...house.settings.mail, smtp: { ...house.settings.mail.smtp, port: 9 } },
  }
  const nowhere = openMail({ ...house.app.house, settings }, { kinds: [orderKind] })
  assert.equal(await nowhere.ready(), false)
  assert.equal(await mail.ready(), true)
  await later()
  await send(nowhere)
  assert.match((await deliveries())[0]?.error ?? '', /^unreachable: E[A-Z]+$/)
  await later()
  await send()
  assert.equal(mailsTo(to).length, 1)
})

test('what a dead process left comes back when its lease ends, and only the attempt that holds a mail settles it', async () => {
  const to = someone()
  await queue({ to })
  let stuck: (letter: Letter) => void = () => {}
  composed = () => new Promise((resolve) => (stuck = resolve))
  const first = send()
  while ((await newestRow())?.attempt !== 1) await new Promise((resolve) => setTimeout(resolve, 5))
  composed = undefined
  assert.equal(await send(), 0, 'under its lease nobody else takes it')
  await later()
  sink.refuse(to, 'for now', 1)
  assert.equal(await send(), 1)
  stuck(LETTER)
  await first
  const row = await newestRow()
  assert.deepEqual([row?.state, row?.attempt], ['queued', 2], 'the late one settles nothing')
  await later()
  await send()
  assert.deepEqual([(await newestRow())?.state, (await newestRow())?.attempt], ['sent', 3])
  assert.equal(mailsTo(to).length, 2, 'at least once: both went out, under one message id')
  assert.equal(new Set(mailsTo(to).map(({ headers }) => headers.get('message-id'))).size, 1)
})

test('two workers send each mail once', async () => {
  const before = sink.mails.length
  const readers = Array.from({ length: 60 }, someone)
  for (const to of readers) await queue({ to })
  const other = openMail(house.app.house, { kinds: [orderKind] })
  const counts = await Promise.all([send(), send(other), send()])
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    60,
  )
  assert.equal(sink.mails.length - before, 60)
  assert.ok(readers.every((to) => mailsTo(to).length === 1))
})

test('a mail that has nothing to say any more leaves without a word', async () => {
  const to = someone()
  await queue({ to })
  composed = async () => null
  const before = (await deliveries()).length
  await send()
  composed = undefined
  assert.deepEqual([(await newestRow())?.state, (await newestRow())?.sealed], ['dropped', null])
  assert.equal((await deliveries()).length, before)
  assert.deepEqual(mailsTo(to), [])
})

test('a mail that cannot be written is tried again, and the reason stands in the log', async () => {
  await queue({ to: someone(), kind: 'nobody_writes_this' })
  await send()
  assert.equal((await newestRow())?.state, 'queued')
  assert.match((await deliveries())[0]?.error ?? '', /^unwritable: /)
  assert.ok(house.logged.some((line) => line.includes('No room here writes mails of the kind')))
})

test('no words of a mail can add a header or a recipient', async () => {
  const hostile = [
    'Hi\r\nBcc: victim@shop.example',
    'Hi\nX-Evil: 1',
    'Hi\u2028Bcc: x',
    'Hi\u0000there',
    '=?utf-8?B?QmNjOg==?=\r\n',
  ]
  for (const subject of hostile) {
    const to = someone()
    await queue({ to, fields: { subject } })
    await send()
    const [taken] = mailsTo(to)
    assert.deepEqual(taken?.to, [to])
    for (const name of ['bcc', 'x-evil']) assert.equal(taken?.headers.has(name), false, subject)
  }
  assert.deepEqual(mailsTo('victim@shop.example'), [])
})

test('limits hold per recipient and per workspace, also when many ask at once', async () => {
  const to = someone()
  const own = await house.tenant()
  const most = (per: 'recipient' | 'workspace', reader: string) =>
    queue({ tenantId: own.tenantId, kind: 'order', to: reader, limit: { most: 3, windowMs: 3_600_000, per } })
  const asked = await Promise.all(Array.from({ length: 12 }, () => most('recipient', to)))
  assert.deepEqual(asked.sort(), [...Array(9).fill('limited'), ...Array(3).fill('queued')])
  assert.equal(await most('recipient', to.replace('@', '+x@')), 'limited', 'an alias is the same person')
  assert.equal(await most('recipient', someone()), 'queued')
  assert.equal(await most('workspace', someone()), 'limited')
  await send()
})

test('without a transport nothing is written down; the console writes a mail out', async () => {
  const none = {
    ...house.app.house,
    settings: { ...house.settings, mail: { ...house.settings.mail, transport: 'none' as const } },
  }
  const before = await house.database.database.rows(rows, { tenantId: tenant.tenantId })
  assert.equal(await queue({ to: someone() }, none), 'not_sent')
  assert.equal((await house.database.database.rows(rows, { tenantId: tenant.tenantId })).length, before.length)
  const room = openMail(none, { kinds: [orderKind] })
  assert.deepEqual([room.duties, await room.ready()], [[], false])
  const said: string[] = []
  const settings = { ...house.settings, mail: { ...house.settings.mail, transport: 'console' as const } }
  const console = openMail({ ...house.app.house, settings }, { kinds: [orderKind], print: (text) => said.push(text) })
  const to = someone()
  await queue({ to })
  assert.equal(await console.ready(), true)
  await send(console)
  assert.ok(said.join('').includes(`To: ${to}`))
  assert.ok(said.join('').includes('https://shop.example/orders?id=1&from=mail'))
  assert.deepEqual(mailsTo(to), [])
})

test('what waits is sealed, and a rotation of the encryption key takes it along', async () => {
  const to = someone()
  await queue({ to, fields: { subject: 'A canary in the subject' } })
  const { sealed } = (await newestRow()) ?? {}
  assert.match(sealed ?? '', /^enc:v1:/)
  assert.ok(!sealed?.includes('canary'))
  const { db, log } = house.app.house
  const [old, fresh] = [house.settings.encryption.key, randomBytes(32).toString('base64')]
  const both = openKeyring({ key: fresh, previous: [old] })
  const first = await resealRows({ db, log, keyring: both }, sealedMails)
  assert.ok(first.resealed > 0)
  assert.equal((await resealRows({ db, log, keyring: both }, sealedMails)).resealed, 0)
  const alone = openMail(
    { ...house.app.house, keyring: openKeyring({ key: fresh, previous: [] }) },
    { kinds: [orderKind] },
  )
  await later()
  await send(alone)
  assert.equal(mailsTo(to)[0]?.headers.get('subject'), 'A canary in the subject')
})

test('nothing is written for an erased workspace, and its waiting mail goes with it', async () => {
  const gone = await house.tenant('Gone')
  const to = someone()
  assert.equal(await queue({ tenantId: gone.tenantId, to }), 'queued')
  await house.ask('DELETE', '/v1/account', { key: gone.apiKey, body: { confirm: 'Gone' } })
  assert.equal(await queue({ tenantId: gone.tenantId, to }), 'not_sent')
  await send()
  assert.deepEqual(mailsTo(to), [])
})

const age = statement<unknown, { tenantId: number }>(
  'test.age_mails',
  `update mails set created_at = (created_at at time zone 'UTC' - interval '31 days') at time zone 'UTC' where tenant_id = $tenantId::int`,
)

test('mails that were settled a month ago are forgotten, with their attempts', async () => {
  await queue({ to: someone() })
  await send()
  await queue({ to: someone() })
  await house.database.database.run(age, { tenantId: tenant.tenantId })
  const forget = mail.duties.find(({ name }) => name === 'mail.forget')
  assert.ok(((await forget?.work(new AbortController().signal)) ?? 0) > 0)
  const left = await house.database.database.rows(rows, { tenantId: tenant.tenantId })
  assert.ok(left.length > 0 && left.every(({ state }) => state === 'queued'), 'what waits stays')
})
