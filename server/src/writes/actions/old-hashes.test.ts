// Actions that the build before staged, whose hash did not cover the address: on a database as that build left it.
import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import test, { type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { ActionDetail, ConfirmAnswer } from '@tether/contract'
import type { z } from 'zod'
import { freshDatabase } from '../../../testkit/database.ts'
import { openHouse } from '../../../testkit/house.ts'
import { oldChain } from '../../../testkit/old-chain.ts'
import { ScriptedEndpoint } from '../../../testkit/scripted-endpoint.ts'
import { migrate, readMigrations, unlisted } from '../../kernel/db/index.ts'

type Detail = z.output<typeof ActionDetail>
type Confirmed = z.output<typeof ConfirmAnswer>
const migrations = fileURLToPath(new URL('../../../migrations', import.meta.url))
const TENANT = 1
const USER = { 'x-service-user-id': '7' }
const parameters = { type: 'object', properties: { number: { type: 'string' } } }
const write = { description: 'Gives the money of an order back.', is_write: true, parameters }
const http = { method: 'POST', path: '/refunds/{number}', arguments: { number: { in: 'path', name: 'number' } } }
const CATALOG = [
  { name: 'refund_order', ...write },
  { name: 'refund_once', ...write, http, idempotency: 'none' },
]
const outcome = ({ status, body }: { status: number; body: Confirmed }) => [status, body.status, body.errorCode]

const insertAction = unlisted<
  unknown,
  { actionId: string; tool: string; payloadHash: string; state: string; sentTo: string | null }
>(
  'old_hashes.insert_action',
  `insert into actions (tenant_id, action_id, tool, domain, title, summary, arguments, payload_hash, risk, state, idempotency_key,
                        attempts, claim_token, sent_to, expires_at)
   values (1, $actionId::uuid, $tool::text, 'shop', 'Refund', 'Refund', '{"number":"A-1"}', $payloadHash::text, 'low', $state::text,
           'act_' || $actionId::text, case when $state::text = 'pending' then 0 else 1 end,
           case when $state::text = 'pending' then null else gen_random_uuid() end, $sentTo::text, now() + interval '1 hour')`,
)
const insertApproval = unlisted<unknown, { actionId: string; payloadHash: string }>(
  'old_hashes.insert_approval',
  `insert into approvals (tenant_id, action_id, user_id, payload_hash, under_policy) values (1, $actionId::uuid, 7, $payloadHash::text, true)`,
)

/** As the build before hashed a write of the tool endpoint. */
const oldHash = (tool: string): string => {
  const payload = { arguments: { number: 'A-1' }, scope_id: null, subject: null, tool }
  return createHash('sha256').update(JSON.stringify(payload)).digest('hex')
}

/** A workspace whose database was migrated after the build before had staged writes in it. */
async function upgraded(t: TestContext) {
  const endpoint = new ScriptedEndpoint()
  t.after(() => endpoint.stop())
  const url = await endpoint.start()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tether-old-hashes-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const database = await freshDatabase({ migrations: folder })
  await migrate(database.database, { files: oldChain().files.filter(({ name }) => name < '0102') })
  await database.database.script(`insert into tenants (tenant_id, name) values (${TENANT}, 'Shop')`)
  const staged = async (tool: string, state: string, sentTo: string | null = null) => {
    const actionId = randomUUID()
    const payloadHash = oldHash(tool)
    await database.database.run(insertAction, { actionId, tool, payloadHash, state, sentTo })
    await database.database.run(insertApproval, { actionId, payloadHash })
    return actionId
  }
  const actions = {
    waiting: await staged('refund_order', 'pending'),
    unknown: await staged('refund_order', 'indeterminate', url),
    once: await staged('refund_once', 'indeterminate', 'https://api.shop.example'),
  }
  await migrate(database.database, oldChain())
  await migrate(database.database, await readMigrations(migrations))
  const house = await openHouse({ database, settings: { 'ToolTransport:MaxAttempts': '1' } })
  t.after(() => house.close())
  const key = await house.key(TENANT, 'secret')
  const put = async (at: string, body: unknown) => {
    const { status, text } = await house.ask('PUT', at, { key, body })
    assert.equal(status, 200, text)
  }
  await house.ask('POST', '/v1/account/signing-secret/rotate', { key })
  await put('/v1/tools', CATALOG)
  await put('/v1/endpoint', { url })
  const decide = (verb: string, actionId: string, body: object = {}) =>
    house.ask<Confirmed>('POST', `/v1/actions/${actionId}/${verb}`, { key, headers: USER, body })
  const look = async (actionId: string) => (await house.ask<Detail>('GET', `/v1/actions/${actionId}`, { key })).body
  return { ...actions, endpoint, put, decide, look }
}

test('a waiting write of the build before is staged again before anybody approves it', async (t) => {
  const { waiting, endpoint, put, decide, look } = await upgraded(t)
  await put(
    '/v1/users',
    [7, 8].map((userId) => ({ userId, displayName: `Person ${userId}`, role: 'manager' })),
  )
  await put('/v1/policy', { rules: [{ roles: ['manager'], approvers: 2 }] })
  const sent = endpoint.play((_call, response) => void response.end('{"done":true}'))
  const refused = await decide('confirm', waiting)
  assert.deepEqual(outcome(refused), [400, 'GuardForbidden', 'FORBIDDEN'])
  assert.match(refused.text, /earlier version/)
  assert.equal((await look(waiting)).changed?.what, 'hash_version')
  const amended = await decide('amend', waiting, { arguments: { number: 'A-1' } })
  assert.equal(amended.status, 200, amended.text)
  assert.equal((await look(amended.body.actionId)).changed, null)
  assert.equal((await decide('confirm', amended.body.actionId)).status, 202)
  assert.equal(sent.length, 0)
})

test('an indeterminate write of the build before is reconciled where it was sent, and nowhere else', async (t) => {
  const { unknown, endpoint, put, decide, look } = await upgraded(t)
  const other = new ScriptedEndpoint()
  t.after(() => other.stop())
  const sent = endpoint.play((_call, response) => void response.end('{"done":true}'))
  const sentToOther = other.play((_call, response) => void response.end('{"done":true}'))
  await put('/v1/endpoint', { url: await other.start() })
  assert.deepEqual(outcome(await decide('reconcile', unknown)), [400, 'Conflict', 'CONFLICT'])
  await put('/v1/endpoint', { url: await endpoint.start() })
  assert.deepEqual(outcome(await decide('reconcile', unknown)), [200, 'Executed', null])
  assert.deepEqual([sent.length, sentToOther.length], [1, 0])
  assert.equal((await look(unknown)).status, 'executed')
})

test('an indeterminate write of the build before that must not be sent twice is settled by a person', async (t) => {
  const { once, decide, look } = await upgraded(t)
  const settled = await decide('reconcile', once, { performed: true, note: 'It is in their books.' })
  assert.deepEqual(outcome(settled), [200, 'Executed', null])
  assert.equal((await look(once)).status, 'executed')
})
