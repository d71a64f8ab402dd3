import { ApiCredential, LONGEST_CREDENTIAL } from '@tether/contract'
import { stringifyJson } from '../../kernel/json/index.ts'
import type { Context, House } from '../../tenancy/context/index.ts'
import { credentialFault } from '../../tools/catalog/index.ts'
import { sealedCredentials } from './queries.ts'

/** `undefined`: nothing was sent, what is stored stays. `null`: it is cleared. */
export type CredentialRead = { readonly credential: ApiCredential | null | undefined } | { readonly fault: string }

/** Never quotes what was sent. */
export async function readCredential({ egress }: Pick<House, 'egress'>, sent: unknown): Promise<CredentialRead> {
  if (sent === undefined || sent === null) return { credential: undefined }
  if (sent === '') return { credential: null }
  const text = typeof sent === 'string' ? sent : typeof sent === 'object' ? JSON.stringify(sent) : ''
  if (text.length > LONGEST_CREDENTIAL)
    return { fault: `credential is longer than ${LONGEST_CREDENTIAL} characters, the most that is stored.` }
  const parsed = ApiCredential.safeParse(sent)
  if (!parsed.success) return { fault: typeof sent === 'string' ? badText : badScheme }
  const credential = parsed.data
  const fault = credentialFault(credential)
  if (fault !== undefined) return { fault }
  if (typeof credential !== 'string' && credential.scheme === 'oauth2_client_credentials') {
    const checked = await egress.checkAddress(credential.tokenUrl, { noun: 'credential.tokenUrl', purpose: 'tool' })
    if (!checked.ok && checked.reason !== 'unresolved') return { fault: checked.message }
  }
  return { credential }
}

const badText =
  'credential must be printable ASCII on one line, without white space around it: the token alone, without "Bearer".'
const badScheme =
  'credential must be a text, which is sent as a bearer token, or an object with scheme "bearer" (token), "header" or "query" (name, value), "basic" (username, password) or "oauth2_client_credentials" (tokenUrl, clientId, clientSecret), and nothing else.'

export const sealCredential = (
  { keyring }: Pick<House, 'keyring'>,
  tenantId: number,
  credential: ApiCredential,
): string => keyring.seal(stringifyJson(credential), sealedCredentials.place(tenantId, String(tenantId)))

/** @throws SecretUnreadable */
export function openCredential({ keyring, asking }: Context, sealed: string | null): ApiCredential | null {
  if (sealed === null) return null
  return ApiCredential.parse(
    JSON.parse(keyring.open(sealed, sealedCredentials.place(asking.tenantId, String(asking.tenantId)))),
  )
}
