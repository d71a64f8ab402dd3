// Who has which mail in hand: a worker claims a mail when it begins to send it, and each tenant's apart.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { unlisted } from '../../kernel/db/index.ts'
import { anyKind, type Letter, type MailRoom, openMail, queueMail } from './index.ts'

const LETTER: Letter = { subject: 'An order', heading: 'An order', paragraphs: ['It came in.'], small: [] }
let composing = 0
let gate: Promise<void> = Promise.resolve()
const orderKind = anyKind({
  kind: 'order',
  fields: z.object({}),
  async compose() {
    composing++
    await gate
    return LETTER
  },
})

let house: OpenHouse
let mail: MailRoom
const printed: string[] = []
before(async () => {
  house = await openHouse({
    settings: { 'Mail:Transport': 'console', 'Mail:From': 'Tether <no-reply@tether.example>' },
  })
  mail = openMail(house.app.house, { kinds: [orderKind], print: (text) => void printed.push(text) })
})
after(() => house.close())

const write = (tenantId: number) =>
  house.app.house.db.transaction((tx) =>
    queueMail(tx, house.app.house, { tenantId, kind: 'order', to: 'a@shop.example', language: 'en', fields: {} }),
  )
const send = () => mail.duties[0]?.work(new AbortController().signal) ?? assert.fail('no duty sends mail')

const countClaimed = unlisted<{ claimed: number; sent: number }, { tenantId: number }>(
  'claims_test.count',
  `select count(*) filter (where attempt > 0)::int as claimed, count(*) filter (where state = 'sent')::int as sent
     from mails where tenant_id = $tenantId::int`,
)
const counted = (tenantId: number) => house.database.database.one(countClaimed, { tenantId })

test('no mail waits under its own lease while another one is sent', async () => {
  const { tenantId } = await house.tenant()
  for (let turn = 0; turn < 10; turn++) await write(tenantId)
  const { promise, resolve: open } = Promise.withResolvers<void>()
  gate = promise
  composing = 0
  const sending = send()
  for (const end = performance.now() + 60_000; composing < 4; await pause(5)) {
    assert.ok(performance.now() < end, 'four are sent at once')
  }
  assert.deepEqual(await counted(tenantId), { claimed: 4, sent: 0 })
  open()
  assert.equal(await sending, 10)
  assert.deepEqual(await counted(tenantId), { claimed: 10, sent: 10 })
  assert.equal(printed.length, 10)
})

test('a tenant whose mails cannot be claimed keeps nobody from getting theirs', async () => {
  const { database } = house.database
  const [stuck, other] = [await house.tenant(), await house.tenant()]
  for (let turn = 0; turn < 30; turn++) await write(stuck.tenantId)
  await write(other.tenantId)
  await database.script(`
    create function stuck() returns trigger language plpgsql as $$ begin raise exception 'stuck'; end $$;
    create trigger stuck before update on mails for each row when (old.tenant_id = ${stuck.tenantId})
      execute function stuck()`)
  try {
    assert.equal(await send(), 1)
  } finally {
    await database.script('drop trigger stuck on mails')
  }
  assert.deepEqual(await counted(other.tenantId), { claimed: 1, sent: 1 })
  assert.deepEqual(await counted(stuck.tenantId), { claimed: 0, sent: 0 })
  assert.equal(await send(), 30)
})
