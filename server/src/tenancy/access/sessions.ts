// The sessions of people who signed in: who acts by one, and how it ends.
import { SESSION_SHAPE, type SessionFault } from '@tether/contract'
import { sha256 } from '../../kernel/crypto/index.ts'
import { refuse } from '../../kernel/http/index.ts'
import { newKey } from '../../kernel/ids/index.ts'
import { type Actor, type House, numberOf } from '../context/index.ts'
import * as sql from './session-queries.ts'

type SignedIn = {
  readonly id: number
  readonly userId: number | null
  readonly displayName: string
  readonly email: string | null
  readonly role: string
  readonly createdAt: Date
}

export type LiveSession = {
  readonly tenantId: number
  readonly hash: Buffer
  readonly person: SignedIn
  readonly expiresAt: Date
}
type SessionFound =
  | { readonly ok: true; readonly session: LiveSession }
  | { readonly ok: false; readonly reason: SessionFault }

const MINUTE_SECONDS = 60

/** Ids of tenants are positive. */
const NOBODYS = 0

export const newSessionToken = () => {
  const token = newKey('tus')
  return { token, hash: sha256(token) }
}

/** Looks on every request, so that whoever is signed out or set inactive is refused from the next one on. */
export async function findSession(
  { db, settings }: Pick<House, 'db' | 'settings'>,
  tenantId: number,
  token: string,
): Promise<SessionFound> {
  if (!SESSION_SHAPE.test(token)) return { ok: false, reason: 'malformed' }
  const hash = sha256(token)
  const idleSeconds = settings.userSessions.idleMinutes * MINUTE_SECONDS
  const touchSeconds = Math.min(MINUTE_SECONDS, idleSeconds / 10)
  const row = await db.one(sql.findSession, { tenantId, hash, idleSeconds, touchSeconds })
  if (row === undefined) return { ok: false, reason: 'unknown' }
  const { active, displayName, role, createdAt } = row
  if (active !== true || displayName === null || role === null || createdAt === null) {
    return { ok: false, reason: 'user_inactive' }
  }
  if (row.closed) return { ok: false, reason: 'closed' }
  if (row.expired) return { ok: false, reason: 'expired' }
  if (row.stale) await db.run(sql.touchSession, { tenantId, hash })
  const { personId: id, userId, email, expiresAt } = row
  return {
    ok: true,
    session: { tenantId, hash, expiresAt, person: { id, userId, displayName, email, role, createdAt } },
  }
}

const WORDS: Readonly<Record<SessionFault, string>> = {
  closed: 'This session was closed. Sign in again.',
  expired: 'This session has ended, because of its age or because nobody used it. Sign in again.',
  unknown: 'This workspace has no such session. Sign in again.',
  malformed: 'X-Service-User-Session is not a session. Send one `tus_…` alone.',
  user_inactive: 'This person may no longer act in this workspace.',
}

/** The session in the header, which was sent. */
export async function sessionOf(
  house: Pick<House, 'db' | 'settings'>,
  /** Undefined where it is of none that the key reaches. */
  tenantId: number | undefined,
  [token = '', ...others]: readonly string[],
): Promise<LiveSession> {
  const sent = others.length > 0 ? '' : token.trim()
  const found = await findSession(house, tenantId ?? NOBODYS, sent)
  if (found.ok) return found.session
  throw refuse('invalid_user_session', WORDS[found.reason], { reason: found.reason })
}

export const actorOfSession = ({ hash, person }: LiveSession): Extract<Actor, { by: 'person' }> => ({
  by: 'person',
  userId: numberOf(person),
  personId: person.id,
  sessionHash: hash,
  role: person.role,
})

/** For a page that stays open: it is no use of the session. */
export const sessionLives = async (
  { db }: Pick<House, 'db'>,
  { tenantId, hash }: Pick<LiveSession, 'tenantId' | 'hash'>,
): Promise<boolean> => (await db.one(sql.sessionLives, { tenantId, hash }))?.lives === true

export const closeSession = ({ db }: Pick<House, 'db'>, tenantId: number, hash: Buffer): Promise<number> =>
  db.run(sql.closeSession, { tenantId, hash })

type Lent<Result> = (session: LiveSession) => Promise<Result>

/**
 * A session for the length of one decision, of a person who proved who they are in another way than by signing in: whatever a
 * decision takes of a session holds for theirs. Its token leaves this function nowhere. Null for whoever is not active now.
 */
export async function withLentSession<Result>(
  house: Pick<House, 'db' | 'settings'>,
  at: { readonly tenantId: number; readonly personId: number; readonly seconds: number },
  work: Lent<Result>,
): Promise<Result | null> {
  const { token, hash } = newSessionToken()
  if ((await house.db.one(sql.lendSession, { ...at, hash })) === undefined) return null
  try {
    const found = await findSession(house, at.tenantId, token)
    return found.ok ? await work(found.session) : null
  } finally {
    await house.db.run(sql.endLent, { tenantId: at.tenantId, hash })
  }
}
