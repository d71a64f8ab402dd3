// A claim beside the change of something that it was judged by, each on its own connection. Whichever comes second waits for
// the first, and goes by it: under READ COMMITTED a statement that waited sees its locked rows anew, and no others.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import test from 'node:test'
import { type Queries, statement } from '../../kernel/db/index.ts'
import { beginReconcile, breakPrecondition, claimAction } from './deciding-queries.ts'
import { standing } from './fixtures/asker.ts'
import { fresh, type Placed, photograph, placed } from './fixtures/placed.ts'
import { ONE_AT_A_TIME, untilWaiting } from './fixtures/waiting.ts'

type OfTenant = { tenantId: number }
const addPerson = statement<unknown, OfTenant>(
  'test.add_person',
  `insert into users (tenant_id, user_id, display_name, role) values ($tenantId::int, 7, 'Ana', 'manager')`,
)
const readAuthority = statement<{ version: number }, OfTenant>(
  'test.read_authority',
  'select authority_version as version from tenants where tenant_id = $tenantId::int',
)
const lockAction = statement<unknown, OfTenant>(
  'test.lock_action',
  'select action_id from actions where tenant_id = $tenantId::int for no key update',
)

/** In the words of no room: whoever writes it, and however. */
const CHANGES = {
  'the policy': statement<unknown, OfTenant>(
    'test.change_policy',
    `insert into policies (tenant_id, version, rules) values ($tenantId::int, 1, '{}')`,
  ),
  'an approver': statement<unknown, OfTenant>(
    'test.change_person',
    'update users set active = false where tenant_id = $tenantId::int',
  ),
  'the catalog': statement<unknown, OfTenant>(
    'test.change_catalog',
    'update tenants set catalog_version = catalog_version + 1 where tenant_id = $tenantId::int',
  ),
  'the endpoint': statement<unknown, OfTenant>(
    'test.change_endpoint',
    `update tenants set endpoint_url = 'https://shop.com/tools' where tenant_id = $tenantId::int`,
  ),
  'the address of the imported API': statement<unknown, OfTenant>(
    'test.change_api',
    `update tenants set api_url = 'https://api.shop.com' where tenant_id = $tenantId::int`,
  ),
  'the asking key': statement<unknown, OfTenant>(
    'test.change_key',
    'update keys set revoked_at = now() where tenant_id = $tenantId::int',
  ),
  'the asking session': statement<unknown, OfTenant>(
    'test.close_session',
    'update user_sessions set closed_at = now() where tenant_id = $tenantId::int',
  ),
}

const openSession = statement<unknown, OfTenant & { hash: Buffer }>(
  'test.open_session',
  `insert into user_sessions (tenant_id, hash, person_id, expires_at)
   values ($tenantId::int, $hash::bytea, 7, now() + interval '1 hour')`,
)
const askingSession = Buffer.alloc(32, 7)

type Held = Placed & { readonly authorityVersion: number }
const CLAIMS = {
  claim: ({ tenantId, actionId, claimToken, authorityVersion }: Held) =>
    fresh.database.one(claimAction, {
      ...standing(tenantId),
      askingSession,
      authorityVersion,
      actionId,
      claimToken,
      leaseSeconds: 30,
      sentTo: null,
      userId: 7,
      personId: 0,
      payloadHash: 'the-hash',
    }),
  break: ({ tenantId, actionId, authorityVersion }: Held) =>
    fresh.database.one(breakPrecondition, {
      ...standing(tenantId),
      askingSession,
      authorityVersion,
      actionId,
      userId: 7,
      personId: 0,
      source: 'test',
      eventId: 'evt_1',
      reason: 'Not paid.',
    }),
  reconcile: ({ tenantId, actionId, authorityVersion }: Held) =>
    fresh.database.one(beginReconcile, {
      ...standing(tenantId),
      askingSession,
      authorityVersion,
      actionId,
      reconcileToken: randomUUID(),
      leaseSeconds: 30,
      sentTo: null,
      sendToNewEndpoint: false,
      byDeployment: false,
    }),
}

async function pending(verb: string): Promise<Held> {
  const at = await placed(verb === 'reconcile' ? 'indeterminate' : 'pending')
  await fresh.database.run(addPerson, { tenantId: at.tenantId })
  await fresh.database.run(openSession, { tenantId: at.tenantId, hash: askingSession })
  const { version = 0 } = (await fresh.database.one(readAuthority, { tenantId: at.tenantId })) ?? {}
  return { ...at, authorityVersion: version }
}

/** Runs what `first` says and holds its locks until what it returns is called. */
async function holding(first: (tx: Queries) => Promise<unknown>): Promise<() => Promise<void>> {
  const [done, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const held = fresh.database.transaction(async (tx) => {
    await first(tx)
    done.resolve()
    await gate.promise
  })
  await done.promise
  return async () => {
    gate.resolve()
    await held
  }
}

for (const [verb, claims] of Object.entries(CLAIMS)) {
  for (const [what, change] of Object.entries(CHANGES)) {
    test(`a ${verb} that begins while ${what} is being changed waits, and is not granted`, async (t) => {
      if (fresh.database.engine === 'embedded') return t.skip(ONE_AT_A_TIME)
      const at = await pending(verb)
      const before = await fresh.database.one(photograph, { tenantId: at.tenantId })
      const letGo = await holding((tx) => tx.run(change, { tenantId: at.tenantId }))
      let ended = false
      const claimed = claims(at).finally(() => {
        ended = true
      })
      await untilWaiting(fresh.database, 1, () => ended)
      await letGo()
      assert.equal(await claimed, undefined)
      assert.equal((await fresh.database.one(photograph, { tenantId: at.tenantId }))?.everything, before?.everything)
    })

    test(`while a ${verb} waits for its action, ${what} stays as it was judged by`, async (t) => {
      if (fresh.database.engine === 'embedded') return t.skip(ONE_AT_A_TIME)
      const at = await pending(verb)
      const letGo = await holding((tx) => tx.one(lockAction, { tenantId: at.tenantId }))
      const order: string[] = []
      const claimed = claims(at).finally(() => order.push('claimed'))
      await untilWaiting(fresh.database, 1)
      const changed = fresh.database.run(change, { tenantId: at.tenantId }).finally(() => order.push('changed'))
      await untilWaiting(fresh.database, 2, () => order.length > 0)
      assert.deepEqual(order, [], 'the change waits for the claim')
      await letGo()
      // Granted, so it was judged by what stood. The two answers come over two connections, in any order.
      assert.ok((await claimed) !== undefined)
      await changed
    })
  }
}
