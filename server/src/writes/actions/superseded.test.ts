// Whose yes is superseded, by the statements that write it, also where two of them wait for the same row.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import test, { after, before } from 'node:test'
import { ACTION_STATES, type ActionState } from '@tether/contract'
import { type FreshDatabase, freshDatabase } from '../../../testkit/database.ts'
import { statement } from '../../kernel/db/index.ts'
import { claimAction } from './deciding-queries.ts'
import { placeAsker, standing } from './fixtures/asker.ts'
import { ONE_AT_A_TIME, untilWaiting } from './fixtures/waiting.ts'
import { recordApproval } from './queries.ts'
import { fail, loseContact, markSuperseded, release, succeed } from './settle-queries.ts'

type Placed = { readonly tenantId: number; readonly actionId: string; readonly claimToken: string }

let fresh: FreshDatabase
before(async () => {
  fresh = await freshDatabase()
})
after(() => fresh.close())

const place = statement<unknown, { tenantId: number; actionId: string }>(
  'test.place_pending',
  `insert into actions (tenant_id, action_id, tool, domain, title, summary, arguments, payload_hash, risk, state, idempotency_key,
                        expires_at)
   values ($tenantId::int, $actionId::uuid, 'refund_order', 'shop', 'Refund', 'Refund', '{}', 'the-hash', 'low', 'pending',
           'act_' || $actionId::text, now() + interval '1 minute')`,
)
const move = statement<unknown, { tenantId: number; state: ActionState }>(
  'test.move_action',
  'update actions set state = $state::text where tenant_id = $tenantId::int',
)
const trailOf = statement<{ event: string }, { tenantId: number }>(
  'test.trail',
  `select event || ' ' || user_id as event from audit_events where tenant_id = $tenantId::int order by id`,
)
const trail = async ({ tenantId }: Placed): Promise<string[]> =>
  (await fresh.database.rows(trailOf, { tenantId })).map(({ event }) => event)

const approves = ({ tenantId, actionId }: Placed, userId: number) =>
  fresh.database.one(recordApproval, {
    tenantId,
    actionId,
    userId,
    personId: 0,
    payloadHash: 'the-hash',
    underPolicy: true,
    source: 'test',
    eventId: `evt_${userId}`,
  })
const claims = ({ tenantId, actionId, claimToken }: Placed, userId: number) =>
  fresh.database.one(claimAction, {
    ...standing(tenantId),
    actionId,
    claimToken,
    leaseSeconds: 30,
    sentTo: null,
    userId,
    personId: 0,
    payloadHash: 'the-hash',
  })
const loses = ({ tenantId, actionId }: Placed, userId: number) =>
  fresh.database.run(markSuperseded, { tenantId, actionId, userId, personId: 0, source: 'test' })
const settles = ({ tenantId, actionId, claimToken }: Placed) =>
  fresh.database.one(succeed, {
    tenantId,
    actionId,
    claimToken,
    userId: 7,
    personId: 0,
    source: 'test',
    eventId: 'evt_1',
    result: Buffer.from('{}'),
    verifySeconds: null,
    note: null,
  })

let tenants = 1000
/** These people said yes, in this order; then the confirm of 7 got the claim. */
async function claimed(...people: readonly number[]): Promise<Placed> {
  const at = { tenantId: tenants++, actionId: randomUUID(), claimToken: randomUUID() }
  await placeAsker(fresh.database, at.tenantId)
  await fresh.database.run(place, { tenantId: at.tenantId, actionId: at.actionId })
  for (const userId of people) await approves(at, userId)
  assert.ok((await claims(at, 7)) !== undefined)
  return at
}

const SAID_YES = ['approved 7', 'approved 8']
const RACED = [...SAID_YES, 'executed 7', 'superseded 8']

test('a lost yes is superseded where a claim of somebody else has ended the action, once, and nowhere else', async () => {
  for (const state of ACTION_STATES) {
    const at = await claimed(7, 8)
    await fresh.database.run(move, { tenantId: at.tenantId, state })
    for (const userId of [8, 8, 7, 9]) await loses(at, userId)
    const isEnded = state === 'executed' || state === 'failed'
    assert.deepEqual(await trail(at), [...SAID_YES, ...(isEnded ? ['superseded 8'] : [])], state)
  }
})

test('a yes that a claim overtook is superseded when that claim is settled, also after contact was lost', async () => {
  for (const contact of ['kept', 'lost'] as const) {
    const at = await claimed(7, 8)
    const { tenantId, actionId, claimToken } = at
    await loses(at, 8)
    if (contact === 'lost')
      await fresh.database.one(loseContact, {
        tenantId,
        actionId,
        claimToken,
        message: 'No answer.',
        reconcileToken: null,
      })
    await loses(at, 8)
    await settles(at)
    await loses(at, 8)
    assert.deepEqual(await trail(at), RACED, contact)
  }
})

test('a failure supersedes whoever it overtook, as a success does', async () => {
  const at = await claimed(7, 8)
  await loses(at, 8)
  const { tenantId, actionId, claimToken } = at
  await fresh.database.one(fail, {
    tenantId,
    actionId,
    claimToken,
    userId: 7,
    personId: 0,
    source: 'test',
    eventId: 'evt_1',
    errorCode: 'CONFLICT',
    message: 'It said no.',
    refused: false,
    reconcileToken: null,
    note: null,
  })
  assert.deepEqual(await trail(at), [...SAID_YES, 'failed 7', 'superseded 8'])
})

test('a yes that a claim overtook counts again when that claim is given back', async () => {
  const at = await claimed(7)
  await approves(at, 8)
  await fresh.database.one(release, {
    tenantId: at.tenantId,
    actionId: at.actionId,
    claimToken: at.claimToken,
    message: 'Busy.',
  })
  assert.ok((await claims(at, 8)) !== undefined)
  await settles(at)
  assert.deepEqual(await trail(at), [...SAID_YES, 'executed 7'])
})

const lockRow = statement<unknown, { tenantId: number }>(
  'test.lock_superseded',
  'select 1 from actions where tenant_id = $tenantId::int for no key update',
)
/** Both have begun, in this order, before either may go on: each has seen everything but the row as it was before. */
async function atOnce({ tenantId }: Placed, acts: readonly (() => Promise<unknown>)[]): Promise<void> {
  const [locked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = fresh.database.transaction(async (tx) => {
    await tx.one(lockRow, { tenantId })
    locked.resolve()
    await gate.promise
  })
  await locked.promise
  const running: Promise<unknown>[] = []
  try {
    for (const act of acts) {
      running.push(act())
      await untilWaiting(fresh.database, running.length)
    }
  } finally {
    gate.resolve()
  }
  await Promise.all([holding, ...running])
}

test('whoever is overtaken while their winner settles is superseded, in whatever order the two come', async (t) => {
  if (fresh.database.engine === 'embedded') return t.skip(ONE_AT_A_TIME)
  const losing = await claimed(7, 8)
  await atOnce(losing, [() => loses(losing, 8), () => settles(losing)])
  assert.deepEqual(await trail(losing), RACED)
  const settling = await claimed(7, 8)
  await atOnce(settling, [() => settles(settling), () => loses(settling, 8)])
  assert.deepEqual(await trail(settling), RACED)
})

test('a yes that comes while its action settles stands before the end, or not at all', async (t) => {
  if (fresh.database.engine === 'embedded') return t.skip(ONE_AT_A_TIME)
  const before = await claimed(7)
  await atOnce(before, [() => approves(before, 8), () => settles(before)])
  assert.deepEqual(await trail(before), RACED)
  const after = await claimed(7)
  await atOnce(after, [() => settles(after), () => approves(after, 8)])
  assert.deepEqual(await trail(after), ['approved 7', 'executed 7'])
})
