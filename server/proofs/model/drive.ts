// The service itself, driven through its routes, on the embedded database, with the shop in place of the network.
import assert from 'node:assert/strict'
import { type AppParts, openApp } from '../../src/app.ts'
import { openKeyring } from '../../src/kernel/crypto/index.ts'
import { type Database, type Named, type NoValues, type Statement, unlisted } from '../../src/kernel/db/index.ts'
import { openLog } from '../../src/kernel/log/index.ts'
import { MODULES } from '../../src/modules.ts'
import { expireAll, type FaultPoint, recoverAll } from '../../src/writes/actions/index.ts'
import { freshDatabase } from '../../testkit/database.ts'
import { testSettings } from '../../testkit/house.ts'
import { type Mutant, mutated } from './mutants.ts'
import { openShop, type Shop } from './shop.ts'
import { ADDRESSES, type Address, type Confirm, type Flavour, type Said, type Seen, type Who } from './words.ts'

export type Staged = {
  readonly actionId: string
  readonly token: string
  readonly number: string
  readonly tenant: Tenant
  /** Where the endpoint was when it was staged. */
  readonly stagedFor: Address
}
/** A verb that has begun: it stands at a point, or has answered. */
export type Begun =
  | { readonly at: FaultPoint; goOn(stopAt: FaultPoint | null): Promise<Begun> }
  | { readonly said: Said }

/** Before a statement runs: a race lets one process at a time through. */
export type Gate = (statement: string) => Promise<void>
export type Driven = {
  readonly shop: Shop
  /** Set for a race. */
  readonly doorway: { gate: Gate | undefined }
  readonly ask: Ask
  /** By the number of approvers that their policy asks for. */
  readonly tenants: readonly Tenant[]
  stage(flavour: Flavour, approverUserId?: number): Promise<Staged>
  confirm(action: Staged, how: Confirm, stopAt: FaultPoint | null): Promise<Begun>
  reconcile(action: Staged, who: Who, stopAt: FaultPoint | null): Promise<Begun>
  reject(action: Staged, who: Who): Promise<Said>
  /** Sets the endpoint of the workspace in which actions of this flavour are staged. */
  moveTo(flavour: Flavour, address: Address): Promise<void>
  /** The confirm window ends. */
  passWindow(action: Staged): Promise<void>
  /** Nobody is believed any more to execute it, or to read it back. */
  lapseLease(action: Staged): Promise<void>
  expire(): Promise<void>
  recover(): Promise<void>
  see(action: Staged): Promise<Seen>
  /** Whether every tenant's trail is gapless. */
  gaps(): Promise<number>
  close(): Promise<void>
}

type Tenant = { readonly key: string; readonly tenantId: number; address: Address }
type Ask = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  key: string,
  body?: object,
  user?: number,
) => Promise<Answer>
type Answer = Record<string, unknown>

const input = { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] }
const write = { description: 'Gives the money of an order back, for the proof.', is_write: true, parameters: input }
const state = (equals: string) => ({
  tool: 'get_order',
  arguments: { number: { from: 'number' } },
  check: { path: 'state', equals },
})
const CATALOG = [
  { name: 'get_order', description: 'Looks up one order by its number.', is_write: false, parameters: input },
  { name: 'plain', ...write },
  { name: 'risky', ...write, risk: 'high' },
  { name: 'checked', ...write, precondition: state('paid'), verify: state('refunded') },
]
const USERS = [1, 2, 3].map((userId) => ({
  userId,
  displayName: `Person ${userId}`,
  role: userId === 3 ? 'clerk' : 'manager',
}))

const own = <Row, Values extends Named = NoValues>(name: string, text: string) =>
  unlisted<Row, Values>(`model.${name}`, text)
type Place = { tenantId: number; actionId: string }
const here = 'tenant_id = $tenantId::int and action_id = $actionId::uuid'
const past = `now() - interval '1 second'`
const passWindow = own<unknown, Place>('pass_window', `update actions set expires_at = ${past} where ${here}`)
const lapseLease = own<unknown, Place>(
  'lapse_lease',
  `update actions set lease_until = case when state = 'executing' then ${past} end,
          verify_until = case when verify_until is not null then ${past} end, reconciling_until = ${past}
    where ${here}`,
)
const see = own<Omit<Seen, 'performed' | 'sentTo'>, Place>(
  'see',
  `select state, attempts, verification_status as verification,
          array(select event || ' ' || user_id from audit_events where ${here} order by id) as trail,
          array(select event from outbox where ${here} order by outbox_id) as told
     from actions where ${here}`,
)
const gaps = own<{ gaps: number }>(
  'gaps',
  'select coalesce(sum(gaps), 0)::int as gaps from (select max(id) - count(*) as gaps from audit_events group by tenant_id) as one',
)

type Parts = {
  readonly mutant: Mutant
  readonly calls: AppParts['calls']
  readonly shop: ReturnType<typeof openShop>
  readonly doorway: Driven['doorway']
  readonly pause: ReturnType<typeof openPause>
}

/** The real app on a database of its own, with one tenant for each number of approvers. */
async function openService({ mutant, calls, shop, doorway, pause }: Parts) {
  const settings = testSettings({ 'ToolTransport:MaxAttempts': '1' })
  const fresh = await freshDatabase({ engine: 'embedded' })
  const app = openApp({
    settings,
    db: watched(fresh.database, mutant, doorway),
    log: openLog({ level: 'error', format: 'json', stream: { write: (line) => broken(line) } }),
    clock: { now: () => Date.now(), wait: async () => {} },
    keyring: openKeyring({ key: settings.encryption.key, previous: [] }),
    modules: MODULES,
    egress: shop.egress,
    faults: { at: pause.at },
    ...(calls === undefined ? {} : { calls }),
  })
  const ask: Ask = async (method, url, key, body, user) => {
    const headers = { 'x-api-key': key, ...(user === undefined ? {} : { 'x-service-user-id': String(user) }) }
    const reply = await app.server.inject({ method, url, headers, ...(body === undefined ? {} : { payload: body }) })
    const answer = reply.json<Answer>()
    if (answer.error !== undefined) broken(`${method} ${url}: ${reply.payload}`)
    return answer
  }
  const operatorKey = settings.operator.apiKey ?? ''
  const tenants = await Promise.all([0, 1, 2].map((approvers) => newTenant(ask, operatorKey, approvers)))
  return { app, fresh, ask, tenants }
}

/** The service, with a fault in its SQL or in how it makes its calls. */
export async function openDriven(mutant: Mutant = {}, calls?: AppParts['calls']): Promise<Driven> {
  const shop = openShop()
  const doorway: Driven['doorway'] = { gate: undefined }
  const pause = openPause()
  const { app, fresh, ask, tenants } = await openService({ mutant, calls, shop, doorway, pause })
  let orders = 0

  const decide = async (verb: string, { actionId, tenant, token }: Staged, who: Who, body?: object): Promise<Said> => {
    const key = who === 'token' ? token : tenant.key
    const user = typeof who === 'number' ? who : undefined
    const path = `/v1/actions/${actionId}/${verb}`
    const { status, errorCode, approversReceived } = await ask('POST', path, key, body, user)
    const said: Said = [String(status), errorCode === null ? null : String(errorCode)]
    return approversReceived === undefined ? said : [...said, Number(approversReceived)]
  }
  return {
    shop,
    doorway,
    ask,
    tenants,
    async stage({ tool, approvers }, approverUserId) {
      const number = `A-${orders++}`
      const tenant = tenants[approvers] ?? assert.fail()
      const { actionId, confirmationToken } = await ask('POST', '/v1/actions', tenant.key, {
        tool,
        arguments: { number },
        ...(approverUserId === undefined ? {} : { approverUserId }),
      })
      return { actionId: String(actionId), token: String(confirmationToken), number, tenant, stagedFor: tenant.address }
    },
    confirm: (action, { who, acknowledges, key }, stopAt) =>
      pause.begin(stopAt, () =>
        decide('confirm', action, who, {
          ...(acknowledges ? { acknowledgeHighRisk: true } : {}),
          ...(key === null ? {} : { idempotencyKey: key }),
        }),
      ),
    reconcile: (action, who, stopAt) => pause.begin(stopAt, () => decide('reconcile', action, who)),
    reject: (action, who) => decide('reject', action, who),
    moveTo: ({ approvers }, address) => setEndpoint(ask, tenants[approvers] ?? assert.fail(), address),
    async passWindow({ tenant, actionId }) {
      await fresh.database.run(passWindow, { tenantId: tenant.tenantId, actionId })
    },
    async lapseLease({ tenant, actionId }) {
      await fresh.database.run(lapseLease, { tenantId: tenant.tenantId, actionId })
    },
    expire: async () => void (await expireAll(app.house)),
    async recover() {
      await recoverAll(app.house)
    },
    async see({ tenant, actionId, number }) {
      const row =
        (await fresh.database.one(see, { tenantId: tenant.tenantId, actionId })) ?? assert.fail('the action is gone')
      return {
        ...row,
        performed: shop.books.get(number)?.performed ?? 0,
        sentTo: [...(shop.books.get(number)?.sentTo ?? [])],
      }
    },
    gaps: async () => (await fresh.database.one(gaps))?.gaps ?? 0,
    async close() {
      doorway.gate = undefined
      await app.close()
      await fresh.close()
    },
  }
}

async function setEndpoint(ask: Ask, tenant: Tenant, address: Address): Promise<void> {
  if (tenant.address === address) return
  await ask('PUT', '/v1/endpoint', tenant.key, { url: address })
  tenant.address = address
}

async function newTenant(ask: Ask, operatorKey: string, approvers: number): Promise<Tenant> {
  const { apiKey, tenantId } = await ask('POST', '/v1/tenants', operatorKey, { name: `Shop ${approvers}` })
  const tenant: Tenant = { key: String(apiKey), tenantId: Number(tenantId), address: ADDRESSES[0] }
  await ask('PUT', '/v1/tools', tenant.key, CATALOG)
  await ask('PUT', '/v1/endpoint', tenant.key, { url: tenant.address })
  if (approvers > 0) {
    await ask('PUT', '/v1/users', tenant.key, USERS)
    await ask('PUT', '/v1/policy', tenant.key, { rules: [{ roles: ['manager'], approvers }] })
  }
  return tenant
}

/** The service broke, which is something else than a difference from the reference. */
const broken = (message: string): never => {
  throw new Error(message)
}

/** The database as the service sees it: through the gate of a race, and with a mutant's statements. */
function watched(database: Database, mutant: Mutant, doorway: Driven['doorway']): Database {
  const changed = mutated(mutant)
  const mutate = <Row, Values extends Named>(statement: Statement<Row, Values>) => ({
    ...statement,
    ...changed.get(statement.name),
  })
  const through = async <Row, Values extends Named>(statement: Statement<Row, Values>) => {
    await doorway.gate?.(statement.name)
    return mutate(statement)
  }
  return {
    ...database,
    rows: async (statement, ...values) => database.rows(await through(statement), ...values),
    one: async (statement, ...values) => database.one(await through(statement), ...values),
    run: async (statement, ...values) => database.run(await through(statement), ...values),
    inLine: async (line, statement, ...values) => database.inLine(line, await through(statement), ...values),
    // A transaction passes the gate as a whole, because it holds the only connection until it ends.
    async transaction(work, ...options) {
      await doorway.gate?.('transaction')
      return await database.transaction(
        (tx) =>
          work({
            ...tx,
            rows: (statement, ...values) => tx.rows(mutate(statement), ...values),
            one: (statement, ...values) => tx.one(mutate(statement), ...values),
            run: (statement, ...values) => tx.run(mutate(statement), ...values),
          }),
        ...options,
      )
    },
  }
}

/** Lets a verb stop at one of its fault points. Only one runs at a time, so the next to arrive is the one that was begun. */
function openPause() {
  let stop: { at: FaultPoint; arrived(goOn: () => void): void } | undefined
  const untilNext = (running: Promise<Said>, stopAt: FaultPoint | null, start: () => void): Promise<Begun> => {
    const arrived = Promise.withResolvers<Begun>()
    stop =
      stopAt === null
        ? undefined
        : {
            at: stopAt,
            arrived: (goOn) => arrived.resolve({ at: stopAt, goOn: (next) => untilNext(running, next, goOn) }),
          }
    start()
    return Promise.race([arrived.promise, running.then((said): Begun => ({ said }))])
  }
  return {
    async at(point: FaultPoint) {
      if (stop?.at !== point) return
      const { arrived } = stop
      stop = undefined
      await new Promise<void>(arrived)
    },
    begin(stopAt: FaultPoint | null, verb: () => Promise<Said>): Promise<Begun> {
      const running = Promise.withResolvers<Said>()
      return untilNext(running.promise, stopAt, () => verb().then(running.resolve, running.reject))
    },
  }
}
