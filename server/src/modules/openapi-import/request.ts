import type { ApiCredential, RepositorySource, UserTokenMode } from '@tether/contract'
import { isObject, type Json, type JsonObject, member, present, shown } from '../../kernel/json/index.ts'
import { readSource } from '../../tenancy/access/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { readUserToken } from './change-api.ts'
import { readCredential } from './credential.ts'
import { longestBaseUrl } from './limits.ts'

export type ImportRequest = {
  readonly document: Json
  readonly baseUrl: string
  /** Null asks for the draft. */
  readonly operations: JsonObject | null
  readonly skipUndeclared: boolean
  readonly credential: ApiCredential | null | undefined
  readonly source: RepositorySource | null
  readonly userToken: UserTokenMode | undefined
}
export type RequestRead = { readonly request: ImportRequest } | { readonly faults: readonly string[] }

/** Reads the body of an import. Every fault is reported at once; none quotes the credential. */
export async function readRequest(ctx: Context, body: unknown): Promise<RequestRead> {
  if (!isObject(body)) return { faults: ['The body must be an object with document and baseUrl.'] }
  const sent = present(body)
  const faults: string[] = []
  const document = member(sent, 'document')
  if (document === undefined) faults.push('document is missing: send the OpenAPI document itself, as a JSON object.')
  const operations = member(sent, 'operations') ?? null
  if (operations !== null && !isObject(operations))
    faults.push(`operations must be an object of declarations by operation name, not ${shown(operations)}.`)
  const skipUndeclared = member(sent, 'skipUndeclared') ?? false
  if (typeof skipUndeclared !== 'boolean')
    faults.push(`skipUndeclared must be true or false, not ${shown(skipUndeclared)}.`)
  const source = readSource(member(sent, 'source'))
  if ('fault' in source) faults.push(source.fault)
  const userToken = readUserToken(member(sent, 'userToken'))
  if ('fault' in userToken) faults.push(userToken.fault)
  const credential = await readCredential(ctx, member(sent, 'credential'))
  if ('fault' in credential) faults.push(credential.fault)
  const baseUrl = await readBaseUrl(ctx, member(sent, 'baseUrl'))
  if ('fault' in baseUrl) faults.push(baseUrl.fault)
  if (
    faults.length > 0 ||
    document === undefined ||
    'fault' in source ||
    'fault' in userToken ||
    'fault' in credential ||
    'fault' in baseUrl
  )
    return { faults }
  return {
    request: {
      document,
      baseUrl: baseUrl.url,
      operations: isObject(operations) ? operations : null,
      skipUndeclared: skipUndeclared === true,
      credential: credential.credential,
      source: source.source,
      userToken: userToken.userToken,
    },
  }
}

/** The same checks as for a tool endpoint. Paths are joined to it as text, so it has nothing behind its path. */
async function readBaseUrl({ egress }: Context, sent: Json | undefined): Promise<{ url: string } | { fault: string }> {
  if (sent === undefined) return { fault: 'baseUrl is missing: send the address where the operations are called.' }
  if (typeof sent !== 'string') return { fault: `baseUrl must be a text, not ${shown(sent)}.` }
  const url = sent.trim()
  if (url.length > longestBaseUrl) return { fault: `baseUrl is longer than ${longestBaseUrl} characters.` }
  if (/[?#]/.test(url))
    return { fault: 'baseUrl must have neither a query nor a fragment: the paths of the operations follow it.' }
  const checked = await egress.checkAddress(url, { noun: 'baseUrl', purpose: 'tool' })
  if (!checked.ok && checked.reason !== 'unresolved') return { fault: checked.message }
  // A bare origin is shown as it was sent, without the slash that parsing adds.
  return { url: checked.url === `${url}/` ? url : checked.url }
}
