import type { IncomingHttpHeaders } from 'node:http'
import { type Actor, DEFAULT_ROLE, type TenantAsking } from '../context/index.ts'
import type { CredentialRow } from './queries.ts'

type Acting = Pick<TenantAsking, 'actor' | 'scopeId' | 'surface'>
type Credential = Pick<CredentialRow, 'kind' | 'actionId' | 'approverUserId' | 'approverPersonId' | 'selfConfirm'>

const one = (header: string | string[] | undefined): string | undefined => (Array.isArray(header) ? undefined : header)

/** A value that is not a positive integer counts as absent; it is not an error. */
function positiveInteger(header: string | string[] | undefined): number | null {
  const text = one(header)
  if (text === undefined || !/^[1-9][0-9]{0,15}$/.test(text)) return null
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : null
}

function surfaceOf(header: string | string[] | undefined): TenantAsking['surface'] {
  const text = one(header)
  return text === 'web' || text === 'mobile' ? text : 'unknown'
}

/** In whose name a key asks. The scope and user headers are the word of a secret-key caller, and are read from no other kind. */
export function actingBy(credential: Credential, headers: IncomingHttpHeaders): Acting {
  const surface = surfaceOf(headers['x-client-surface'])
  if (credential.kind !== 'secret') return { actor: actorOf(credential), scopeId: null, surface }
  const userId = positiveInteger(headers['x-service-user-id'])
  const role = one(headers['x-service-user-role'])?.slice(0, 64) || DEFAULT_ROLE
  return {
    actor: { by: 'key', userId, role },
    scopeId: positiveInteger(headers['x-service-scope-id']),
    surface,
  }
}

function actorOf({ kind, actionId, approverUserId, approverPersonId, selfConfirm }: Credential): Actor {
  const role = DEFAULT_ROLE
  if (kind !== 'action') return { by: 'key', userId: null, role }
  // Every token is minted with its action. One without would name none, and so confirm nothing.
  const speaksOf = { actionId: actionId ?? '', role }
  return selfConfirm
    ? { by: 'customer', userId: null, ...speaksOf }
    : { by: 'token', userId: approverUserId, personId: approverPersonId ?? 0, ...speaksOf }
}
