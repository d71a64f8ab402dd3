import type { IncomingHttpHeaders } from 'node:http'
import type { KeyKind } from '@tether/contract'
import type { TenantAsking } from '../context/index.ts'

type Asserted = Pick<TenantAsking, 'scopeId' | 'userId' | 'userRole' | 'surface'>

const one = (header: string | string[] | undefined): string | undefined => (Array.isArray(header) ? undefined : header)

/** A value that is no positive integer counts as absent, not as an error. */
function positiveInteger(header: string | string[] | undefined): number | null {
  const text = one(header)
  if (text === undefined || !/^[1-9][0-9]{0,15}$/.test(text)) return null
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : null
}

function surfaceOf(header: string | string[] | undefined): Asserted['surface'] {
  const text = one(header)
  return text === 'web' || text === 'mobile' ? text : 'unknown'
}

/** The scope and user headers: the word of a secret-key caller about itself. From any other kind they are not read. */
export function assertedBy(kind: KeyKind, headers: IncomingHttpHeaders): Asserted {
  const surface = surfaceOf(headers['x-client-surface'])
  if (kind !== 'secret') return { scopeId: null, userId: null, userRole: 'api', surface }
  return {
    scopeId: positiveInteger(headers['x-service-scope-id']),
    userId: positiveInteger(headers['x-service-user-id']),
    userRole: one(headers['x-service-user-role'])?.slice(0, 64) || 'api',
    surface,
  }
}
