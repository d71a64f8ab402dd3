import type { JsonObject } from '../../kernel/json/index.ts'
import type { Tool } from '../../tools/catalog/index.ts'
import { type Destination, HASH_VERSION, payloadHash, payloadHashV1 } from './payload.ts'

/** What an action stores of the payload that was staged. */
type StagedHash = {
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

// What a caller reads when the destination or the request of a write has changed. No message contains an address, because an
// address may contain a secret.

/** Why a waiting write was not run. */
export const WHY_CHANGED: Readonly<Record<Change | 'no_address', string>> = {
  destination:
    'This action would go to another address than the one it was staged for, so it was not run. Amend it or stage it again.',
  no_address:
    'The tool of this action has no address now, so nothing was called. Set the address it was staged for and confirm it again, or stage it again at another one.',
  hash_version:
    'This action was staged by an earlier version of the service, whose hash did not cover where it goes, so it was not run. Amend it or stage it again.',
  request:
    'This action is no longer what was staged, or not for whom it was staged, so it was not run. Stage it again.',
}

/** Why an indeterminate write was not sent again. */
export function movedAfterSending({ http, upstream }: Tool): string {
  const [moved, back] = upstream
    ? ['The MCP server was declared at another address', 'Put the old address back with PUT /v1/upstreams/{name}']
    : http === null
      ? ['The endpoint was changed', 'Put the old address back with PUT /v1/endpoint']
      : ['The API was imported at another address', 'Import the API at its old address']
  return `${moved} after this write was sent, and what is there now cannot know what the old one did with it. Nothing was called. ${back}, or reconcile with {"sendToNewEndpoint": true} if the new one remembers the same idempotency keys.`
}
