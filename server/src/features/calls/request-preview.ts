import { SecretUnreadable } from '../../foundation/crypto/index.ts'
import { type Json, type JsonObject, parseJson } from '../../foundation/json/index.ts'
import type { Context } from '../../ground/context/index.ts'
import type { Tool } from '../catalog/index.ts'
import { requestOf } from './direct/request-of.ts'
import type { ApiOf } from './imported-api.ts'

/** What would be sent, without secrets: a header is named, and its value is not shown. */
export type RequestPreview =
  | { readonly tool: string; readonly arguments: JsonObject }
  | { readonly method: string; readonly url: string; readonly headers: readonly string[]; readonly body: Json }

/** Before anybody's credential is added. Null where nothing could be sent. */
export async function requestPreview(
  ctx: Context,
  apiOf: ApiOf,
  { name, http, upstream, parameters }: Tool,
  given: JsonObject,
): Promise<RequestPreview | null> {
  if (http === null || upstream) return { tool: name, arguments: given }
  const api = await apiOf(ctx).catch(unlessUnreadable)
  const made = requestOf({ http, parameters }, given)
  if (api === null || !made.ok) return null
  const { method, path, query, headers, body } = made.request
  const names = [...headers.map(([header]) => header), ...(body === null ? [] : ['Content-Type']), 'Idempotency-Key']
  return {
    method,
    url: `${api.baseUrl.replace(/\/+$/, '')}${path}${query.length === 0 ? '' : `?${query.join('&')}`}`,
    headers: [...new Set(names)],
    body: body === null ? null : /\bjson\b/i.test(body.contentType) ? parseJson(body.content) : body.content,
  }
}

/** A credential that does not open is told by the confirm. */
function unlessUnreadable(error: unknown): null {
  if (error instanceof SecretUnreadable) return null
  throw error
}
