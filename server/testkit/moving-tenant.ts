// Two databases, a service over them, and what moves a tenant from one to the other.
import assert from 'node:assert/strict'
import { type Database, openDatabase, unlisted } from '../src/foundation/db/index.ts'
import { COPIED } from '../src/ground/moves/checks.ts'
import type { Move } from '../src/ground/moves/index.ts'
import { type NewTenant, type OpenHouse, openHouse, type Reply } from './house.ts'
import { ScriptedEndpoint } from './scripted-endpoint.ts'

const url = process.env.TEST_DATABASE_URL

/** A move holds one connection of the first database while it asks over others, which takes a server. */
export const takesServer =
  url === undefined || url === '' || process.env.TEST_POOLER_URL !== undefined ? 'it takes a server' : false

export type MovingShop = NewTenant & {
  stage(): Promise<Reply<{ actionId: string }>>
  confirm(actionId: string): Promise<Reply>
}

export type MovingHouse = {
  readonly house: OpenHouse
  readonly guard: Database
  readonly first: Database
  readonly second: Database
  /** Everything that a move needs but where to. */
  move(tenantId: number, signal?: AbortSignal): Omit<Move, 'to'>
  shop(): Promise<MovingShop>
  /** What the command holds its right to move with. */
  openGuard(): Promise<Database>
  close(): Promise<void>
}

const TOOL = {
  name: 'refund_order',
  description: 'Refunds an order.',
  parameters: { type: 'object', properties: {} },
  is_write: true,
}

export async function openMovingHouse(): Promise<MovingHouse> {
  const endpoint = new ScriptedEndpoint()
  const house = await openHouse({ newTenants: 'first' })
  const at = { url: house.first?.url ?? assert.fail(), poolSize: 1, prepared: true }
  const openGuard = () => openDatabase({ at, statementTimeoutMs: 30_000, warn: () => undefined })
  const guard = await openGuard()
  const first = house.first?.database ?? assert.fail()
  const second = house.database.database
  const databases = [
    { name: 'first', db: first },
    { name: 'second', db: second },
  ] as const
  return {
    house,
    guard,
    first,
    second,
    openGuard,
    move: (tenantId, signal = new AbortController().signal) => ({
      databases,
      guard,
      keyring: house.app.house.keyring,
      tenantId,
      say: () => undefined,
      signal,
      limits: { pauseMs: 20_000, waitMs: 10_000 },
    }),
    async shop() {
      const shop = await house.tenant()
      const key = shop.apiKey
      await house.ask('PUT', '/v1/endpoint', { key, body: { url: await endpoint.start() } })
      await house.ask('PUT', '/v1/tools', { key, body: [TOOL] })
      const body = { tool: TOOL.name, arguments: {} }
      const headers = { 'x-service-user-id': '7' }
      return {
        ...shop,
        stage: () => house.ask<{ actionId: string }>('POST', '/v1/actions', { key, body }),
        confirm: (id) => house.ask('POST', `/v1/actions/${id}/confirm`, { key, body: {}, headers }),
      }
    },
    async close() {
      await guard.close()
      await house.close()
      await endpoint.stop()
    },
  }
}

const servedAs = unlisted<{ name: string }, { tenantId: number }>(
  'test.served_as',
  'select name from tenants where tenant_id = $tenantId::int and deleted_at is null and moving is null',
)

/** Where a tenant is served, by the rows themselves: a process may remember for seconds where it was. */
export async function placesOf({ first, second }: Pick<MovingHouse, 'first' | 'second'>, tenantId: number) {
  const found = await Promise.all([first, second].map((db) => db.one(servedAs, { tenantId })))
  return ['first', 'second'].filter((_, at) => found[at] !== undefined)
}

/** What each table holds of a tenant, as text. */
export async function contentsOf(db: Database, tenantId: number): Promise<Map<string, string>> {
  const contents = new Map<string, string>()
  for (const table of COPIED) {
    const rows = unlisted<{ text: string }, { tenantId: number }>(
      `test.contents_${table}`,
      `select coalesce(string_agg(t::text, chr(10) order by t::text), '') as text from ${table} t where t.tenant_id = $tenantId::int`,
    )
    contents.set(table, (await db.one(rows, { tenantId }))?.text ?? '')
  }
  return contents
}

export const NOTHING = [...COPIED].map((table) => [table, ''])
