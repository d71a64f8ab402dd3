import { SecretUnreadable } from '../../kernel/crypto/index.ts'
import type { JsonObject } from '../../kernel/json/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import type { Tool } from '../catalog/index.ts'
import { faultBesideCredential, faultOfReplaced } from './direct/member-names.ts'
import { requestOf } from './direct/request-of.ts'
import type { ApiOf } from './transport.ts'

/** Why an imported API cannot be sent these arguments. Null where it can, and for any other tool. */
export async function faultOfRequest(
  ctx: Context,
  apiOf: ApiOf,
  { http, parameters, isWrite }: Pick<Tool, 'http' | 'parameters' | 'isWrite'>,
  given: JsonObject,
): Promise<string | null> {
  const made = http === null ? null : requestOf({ http, parameters }, given)
  if (made === null) return null
  if (!made.ok) return made.fault
  // The credential is read only for a write, and where a member could take its place.
  const api = !isWrite && made.added.length === 0 ? null : await apiOf(ctx).catch(unlessUnreadable)
  if (api === null || api.credential === null) return null
  const fault = faultBesideCredential(made.added, api.credential)
  return fault ?? (isWrite ? faultOfReplaced(made.request, api.credential) : null)
}

/** The call itself reports a credential that cannot be decrypted. */
function unlessUnreadable(error: unknown): null {
  if (error instanceof SecretUnreadable) return null
  throw error
}
