// The sessions of the console. Whoever has one asks with a secret key, or as the owner, whose link was mailed to the confirmed address.
import { KEY_SHAPE, type KeyKind } from '@tether/contract'
import { sha256 } from '../../kernel/crypto/index.ts'
import { newKey } from '../../kernel/ids/index.ts'
import { type Actor, DEFAULT_ROLE, type House, type TenantAsking } from '../context/index.ts'
import * as sql from './console-queries.ts'
import { tenantSide } from './gate.ts'
import { findCredentials } from './queries.ts'

export type ConsoleSession = {
  readonly tenantId: number
  readonly hash: Buffer
  readonly expiresAt: Date
  readonly asking: TenantAsking
}

const MINUTE_SECONDS = 60
const HOUR_SECONDS = 3600
const TOKEN_SHAPE = /^tcs_[0-9a-f]{48}$/

export function newConsoleToken() {
  const token = newKey('tcs')
  return { token, hash: sha256(token) }
}

/** Looks on every request, so that a revoked key ends its session from the next one on. Null where it is none, or has ended. */
export async function findConsole(
  { db, settings }: Pick<House, 'db' | 'settings'>,
  { tenantId, token }: { readonly tenantId: number; readonly token: string },
  caller: Pick<TenantAsking, 'requestId' | 'address'>,
): Promise<ConsoleSession | null> {
  if (!TOKEN_SHAPE.test(token)) return null
  const hash = sha256(token)
  const idleSeconds = settings.userSessions.idleMinutes * MINUTE_SECONDS
  const touchSeconds = Math.min(MINUTE_SECONDS, idleSeconds / 10)
  const row = await db.one(sql.findConsole, { tenantId, hash, idleSeconds, touchSeconds })
  if (row === undefined) return null
  if (row.stale) await db.run(sql.touchConsole, { tenantId, hash })
  const { keyPrefix, expiresAt } = row
  const acting = { userId: null, role: DEFAULT_ROLE } as const
  const actor: Actor = keyPrefix === null ? { by: 'owner', sessionHash: hash, ...acting } : { by: 'key', ...acting }
  const asks = { kind: 'secret', keyPrefix, scopeId: null, surface: 'web', actor } as const
  const { requestId, address } = caller
  return { tenantId, hash, expiresAt, asking: { ...tenantSide(row), ...asks, requestId, address } }
}

type Opened =
  | { readonly ok: true; readonly tenantId: number; readonly token: string; readonly expiresAt: Date }
  /** `kind` is what the key is where it is good, but for something else. */
  | { readonly ok: false; readonly kind: KeyKind | null }

/** Exchanges a secret key for a session. The key itself goes nowhere else. */
export async function openConsoleByKey({ db, settings }: Pick<House, 'db' | 'settings'>, key: string): Promise<Opened> {
  if (!KEY_SHAPE.test(key)) return { ok: false, kind: null }
  const keyHash = sha256(key)
  const [row] = await db.rows(findCredentials, { hashes: [keyHash] })
  if (row === undefined || row.withdrawn) return { ok: false, kind: null }
  const { tenantId, kind } = row
  if (kind !== 'secret') return { ok: false, kind }
  const { token, hash } = newConsoleToken()
  const lifetimeSeconds = settings.userSessions.lifetimeHours * HOUR_SECONDS
  const opened = await db.one(sql.openByKey, { tenantId, keyHash, hash, lifetimeSeconds })
  return opened === undefined ? { ok: false, kind: null } : { ok: true, tenantId, token, ...opened }
}

export const closeConsole = (
  { db }: Pick<House, 'db'>,
  { tenantId, hash }: Pick<ConsoleSession, 'tenantId' | 'hash'>,
): Promise<number> => db.run(sql.closeConsole, { tenantId, hash })
