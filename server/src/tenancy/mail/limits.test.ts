// The limits of `queueMail`: what counts toward one, and when it ends.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { unlisted } from '../../kernel/db/index.ts'
import { type MailToQueue, queueMail } from './index.ts'

const HOUR = 3_600_000

let house: OpenHouse
before(async () => {
  house = await openHouse({
    settings: { 'Mail:Transport': 'console', 'Mail:From': 'Tether <no-reply@tether.example>' },
  })
})
after(() => house.close())

let people = 0
const newReader = () => `reader${++people}@shop.example`
const age = unlisted<unknown, { tenantId: number; interval: string }>(
  'test.age_queued_mails',
  `update mails set created_at = (created_at at time zone 'UTC' - $interval::interval) at time zone 'UTC' where tenant_id = $tenantId::int`,
)

/** A workspace whose mails of one kind are limited to two an hour, beside another one without mail. */
async function limitedWorkspace() {
  const [{ tenantId }, other] = [await house.tenant(), await house.tenant()]
  const queue = (more: Partial<MailToQueue> & { to: string }) =>
    house.database.database.transaction((tx) =>
      queueMail(tx, house.app.house, { tenantId, kind: 'order', language: 'en', fields: {}, ...more }),
    )
  const limited = (per: 'recipient' | 'workspace') => (more: Partial<MailToQueue> & { to: string }) =>
    queue({ limit: { most: 2, windowMs: HOUR, per }, ...more })
  return {
    otherTenantId: other.tenantId,
    pass: (interval: string) => house.database.database.run(age, { tenantId, interval }),
    perRecipient: limited('recipient'),
    perWorkspace: limited('workspace'),
    reaching: (to: string) =>
      queue({ to, limit: { most: 100, windowMs: HOUR, per: 'recipient' }, reach: { most: 2, windowMs: HOUR } }),
  }
}

test('a limit per recipient counts that recipient only, and ends an hour later', async () => {
  const { perRecipient, pass } = await limitedWorkspace()
  const [to, colleague] = [newReader(), newReader()]
  assert.deepEqual([await perRecipient({ to }), await perRecipient({ to })], ['queued', 'queued'])
  assert.deepEqual([await perRecipient({ to }), await perRecipient({ to: colleague })], ['limited', 'queued'])
  await pass('59 minutes')
  assert.equal(await perRecipient({ to }), 'limited')
  await pass('1 minute')
  assert.equal(await perRecipient({ to }), 'queued')
})

test('a limit per workspace counts its mails of that kind, and ends an hour later', async () => {
  const { perWorkspace, pass, otherTenantId } = await limitedWorkspace()
  const queue = (more: Partial<MailToQueue> = {}) => perWorkspace({ to: newReader(), ...more })
  assert.deepEqual([await queue(), await queue(), await queue()], ['queued', 'queued', 'limited'])
  assert.equal(await queue({ tenantId: otherTenantId }), 'queued')
  assert.equal(await queue({ kind: 'greeting' }), 'queued')
  await pass('59 minutes')
  assert.equal(await queue(), 'limited')
  await pass('1 minute')
  assert.equal(await queue(), 'queued')
})

test('a limit on the number of recipients lets earlier ones in again, and ends an hour later', async () => {
  const { reaching, pass } = await limitedWorkspace()
  const first = newReader()
  assert.deepEqual([await reaching(first), await reaching(newReader())], ['queued', 'queued'])
  assert.deepEqual([await reaching(newReader()), await reaching(first)], ['limited', 'queued'])
  await pass('59 minutes')
  assert.equal(await reaching(newReader()), 'limited')
  await pass('1 minute')
  assert.equal(await reaching(newReader()), 'queued')
})
