// The chain of one tenant's trail. It depends on nothing else of ours, because whoever checks an export runs this file.
import { hash } from 'node:crypto'
import type { ChainFault } from '@tether/contract'

/** The members that go into an event's hash, besides the hash of the one before. */
export type Hashed = {
  readonly tenantId: number
  readonly id: number
  /** In ISO 8601 with milliseconds, UTC. */
  readonly occurredAt: string
  readonly actionId: string | null
  readonly tool: string | null
  readonly event: string
  readonly userId: number
  readonly source: string
  readonly payloadHash: string | null
  readonly subject: string | null
  readonly scopeId: number | null
  readonly reason: string | null
  /** The id of the person who acted, or 0 for no one. Null in an event from before it was recorded, whose hash does not cover it. */
  readonly personId: number | null
}

/** The last event that we have followed so far. */
export type ChainLink = { readonly id: number; readonly hash: string }

export type Chained = Hashed & { readonly previousHash: string; readonly hash: string }

export type Break = { readonly ok: false; readonly at: number; readonly reason: ChainFault }

/** The link before the first event. */
export const GENESIS: ChainLink = { id: 0, hash: '0'.repeat(64) }

/**
 * Exactly the text that the database hashes (`append_audit`). PostgreSQL separates the elements of a JSON array by ",
 * ".
 */
const hashedText = (previousHash: string, event: Hashed): string =>
  `[${[
    previousHash,
    event.tenantId,
    event.id,
    event.occurredAt,
    event.actionId,
    event.tool,
    event.event,
    event.userId,
    event.source,
    event.payloadHash,
    event.subject,
    event.scopeId,
    event.reason,
    ...(event.personId === null ? [] : [event.personId]),
  ]
    .map((value) => JSON.stringify(value))
    .join(', ')}]`

export const eventHash = (previousHash: string, event: Hashed): string =>
  hash('sha256', hashedText(previousHash, event))

/** Returns undefined if the event is the one after the link, unchanged. */
export function breakAfter(link: ChainLink, event: Chained): Break | undefined {
  const expected = link.id + 1
  if (event.id < expected) return { ok: false, at: event.id, reason: 'out_of_order' }
  if (event.id > expected) return { ok: false, at: expected, reason: 'missing' }
  const follows = event.previousHash === link.hash && event.hash === eventHash(link.hash, event)
  return follows ? undefined : { ok: false, at: event.id, reason: 'hash_mismatch' }
}

/** Writes one event as a line of an export. There is only one way to write it, so that a line can hide nothing else. */
export const lineOf = (event: Chained): string => {
  const { tenantId, id, occurredAt, actionId, tool, event: type, userId, source } = event
  const { payloadHash, subject, scopeId, reason, personId, previousHash, hash } = event
  const said = { tenantId, id, occurredAt, actionId, tool, event: type, userId, source }
  // JSON.stringify would omit a member that somebody removed. As null, it makes the line differ.
  return JSON.stringify(
    { ...said, payloadHash, subject, scopeId, reason, ...(personId === null ? {} : { personId }), previousHash, hash },
    (_name, value: unknown) => value ?? null,
  )
}

/** Returns undefined for a line that no export contains. Do not trust its event before you have recomputed the hash. */
export function readLine(line: string): Chained | undefined {
  const event = parsed(line)
  return event !== undefined && isChained(event) && lineOf(event) === line ? event : undefined
}

/** A checker prints these, and the hash that a file begins after is held by nothing else. */
export const isChained = ({ id, tenantId, previousHash }: Chained): boolean =>
  Number.isSafeInteger(id) && Number.isSafeInteger(tenantId) && /^[0-9a-f]{64}$/.test(previousHash)

/** The cast may be wrong about the members' types, but a value of the wrong type gives a different hash. */
function parsed(line: string): Chained | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? ({ personId: null, ...value } as Chained) : undefined
  } catch {
    return undefined
  }
}
