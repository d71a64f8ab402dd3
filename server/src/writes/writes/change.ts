import type { JsonObject } from '../../kernel/json/index.ts'
import type { Tool } from '../../tools/catalog/index.ts'
import { type Destination, HASH_VERSION, payloadHash, payloadHashV1 } from './payload.ts'

/** What an action stores of the payload that was staged. */
export type StagedHash = {
  readonly scopeId: number | null
  readonly subject: string | null
  readonly payloadHash: string
  readonly hashVersion: number
  /** The base of its destination at the staging. Null if there was none, and for a hash of version 1. */
  readonly stagedFor: string | null
}

/** Whether the tool would send what was staged, by the formula that the stored hash was made with. */
export function isAsStaged(tool: Tool, given: JsonObject, staged: StagedHash, destination: Destination): boolean {
  const { scopeId, subject } = staged
  const payload = { tool, arguments: given, scopeId, subject }
  const now = staged.hashVersion === 1 ? payloadHashV1(payload) : payloadHash({ ...payload, destination })
  return now === staged.payloadHash
}

/**
 * Why a waiting write can no longer be approved:
 * - `destination`: it would go to another address than the one it was staged for;
 * - `hash_version`: an earlier version of the service staged it, whose hash did not cover the address;
 * - `request`: its tool would send another request.
 */
export type Change = 'destination' | 'hash_version' | 'request'

/** Null while the waiting write is exactly what was staged. */
export function changeSince(tool: Tool, given: JsonObject, staged: StagedHash, now: Destination): Change | null {
  const isSame = isAsStaged(tool, given, staged, now)
  if (staged.hashVersion !== HASH_VERSION) return isSame ? 'hash_version' : 'request'
  if (isSame) return null
  return staged.stagedFor === now.base ? 'request' : 'destination'
}
