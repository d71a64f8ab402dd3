// The chain of one tenant's trail. Pure, and without anything of ours around it: whoever checks an export runs this file.
import { hash } from 'node:crypto'
import type { ChainFault } from '@tether/contract'

/** What an event's hash is made over, beside the hash of the one before. */
export type Hashed = {
  readonly tenantId: number
  readonly id: number
  /** ISO 8601 with milliseconds, UTC. */
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
}

/** The end of what was followed so far. */
export type Link = { readonly id: number; readonly hash: string }

export type Chained = Hashed & { readonly previousHash: string; readonly hash: string }

export type Break = { readonly ok: false; readonly at: number; readonly reason: ChainFault }

/** What stands before the first event. */
export const GENESIS: Link = { id: 0, hash: '0'.repeat(64) }

/** The text that the database hashes (`append_audit`), to the byte: elements of PostgreSQL's JSON arrays stand ", " apart. */
export const hashedText = (previousHash: string, event: Hashed): string =>
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
  ]
    .map((value) => JSON.stringify(value))
    .join(', ')}]`

export const hashOf = (previousHash: string, event: Hashed): string => hash('sha256', hashedText(previousHash, event))

/** Undefined when the event is the one after the link, as it was written. */
export function breakAfter(link: Link, event: Chained): Break | undefined {
  const expected = link.id + 1
  if (event.id < expected) return { ok: false, at: event.id, reason: 'out_of_order' }
  if (event.id > expected) return { ok: false, at: expected, reason: 'missing' }
  const follows = event.previousHash === link.hash && event.hash === hashOf(link.hash, event)
  return follows ? undefined : { ok: false, at: event.id, reason: 'hash_mismatch' }
}

/** One event as a line of an export. There is one way to write it, so that a line can hide nothing beside its event. */
export const lineOf = (event: Chained): string => {
  const { tenantId, id, occurredAt, actionId, tool, event: type, userId, source } = event
  const { payloadHash, subject, scopeId, reason, previousHash, hash } = event
  const said = { tenantId, id, occurredAt, actionId, tool, event: type, userId, source }
  // A member that somebody took out would not be written at all; as null the line differs.
  return JSON.stringify(
    { ...said, payloadHash, subject, scopeId, reason, previousHash, hash },
    (_name, value: unknown) => value ?? null,
  )
}

/** Undefined for a line that no export holds. What it says of an event is not believed before its hash was made again. */
export function readLine(line: string): Chained | undefined {
  const event = parsed(line)
  return event !== undefined && Number.isSafeInteger(event.id) && lineOf(event) === line ? event : undefined
}

/** The members may still be of any type; a value of another type than was hashed gives another hash. */
function parsed(line: string): Chained | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Chained) : undefined
  } catch {
    return undefined
  }
}
