// What a request to an imported API would be: why it cannot be sent, and what an approver sees of it. Nothing is sent.
import { SecretUnreadable, type SignatureHeaders } from '../../kernel/crypto/index.ts'
import { type Json, type JsonObject, parseJson } from '../../kernel/json/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import type { Tool } from '../catalog/index.ts'
import { urlOf } from './destination.ts'
import { headersOf } from './direct/api-transport.ts'
import { type Proof, proofOf, proven } from './direct/credential.ts'
import { faultBesideCredential, faultOfReplaced } from './direct/member-names.ts'
import { requestOf } from './direct/request-of.ts'
import type { ApiOf, ImportedApi } from './transport.ts'

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

/** What would be sent, without secrets: a header is named, and its value is not shown. */
export type RequestPreview =
  | { readonly tool: string; readonly arguments: JsonObject }
  | { readonly method: string; readonly url: string; readonly headers: readonly string[]; readonly body: Json }

/** What a write's preview is made of: it is sent for the customer whom it is about. */
export type Previewed = { readonly tool: Tool; readonly arguments: JsonObject; readonly subject: string | null }

/** Null where nothing could be sent. */
export async function requestPreview(
  ctx: Context,
  apiOf: ApiOf,
  { tool: { name, http, upstream, parameters }, arguments: given, subject }: Previewed,
): Promise<RequestPreview | null> {
  if (http === null || upstream) return { tool: name, arguments: given }
  const api = await apiOf(ctx).catch(unlessUnreadable)
  const made = requestOf({ http, parameters }, given)
  if (api === null || !made.ok) return null
  const { method, path, query, body } = made.request
  const onBehalf = { scopeId: null, userId: null, userRole: '', customerId: subject }
  return {
    method,
    url: urlOf(api.baseUrl, { path, query }),
    headers: Object.keys(
      headersOf({ mode: 'execute', requestId: '', onBehalf }, proven(made.request, proofHeader(api)), SIGNED),
    ),
    body: body === null ? null : /\bjson\b/i.test(body.contentType) ? parseJson(body.content) : body.content,
  }
}

const SIGNED: SignatureHeaders = {
  'X-Service-Signature': '',
  'X-Service-Timestamp': '',
  'webhook-id': '',
  'webhook-timestamp': '',
  'webhook-signature': '',
}

/** The header in which a credential goes along, if it does in one. The confirm may bring a person's token in its place. */
function proofHeader({ credential, userToken }: ImportedApi): Proof | null {
  const proof = credential === null ? null : proofOf(credential)
  const isBearer = proof === null ? userToken === 'require' : 'scheme' in proof
  if (isBearer) return { in: 'header', name: 'Authorization', value: '' }
  return proof === null || 'scheme' in proof || proof.in === 'query' ? null : { ...proof, value: '' }
}

/** The call itself reports a credential that cannot be decrypted. */
function unlessUnreadable(error: unknown): null {
  if (error instanceof SecretUnreadable) return null
  throw error
}
