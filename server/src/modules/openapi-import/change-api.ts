import { UserTokenMode } from '@tether/contract'
import { isObject, type Json, shown } from '../../kernel/json/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { readCredential, sealCredential } from './credential.ts'
import { changeApi, findImport } from './queries.ts'

export type ApiView = {
  readonly baseUrl: string
  readonly userToken: UserTokenMode
  readonly credentialStored: boolean
}
export type ApiChanged =
  | { readonly kind: 'changed'; readonly api: ApiView }
  | { readonly kind: 'refused'; readonly error: string }
  | { readonly kind: 'nothing_imported'; readonly error: string }

/** Changes with what the imported API is called, from the next call on. */
export async function changeImportedApi(ctx: Context, body: unknown): Promise<ApiChanged> {
  const read = await readChange(ctx, body)
  if ('error' in read) return { kind: 'refused', error: read.error }
  const { userToken, credential } = read
  const { tenantId, wiring } = ctx.asking
  const row = await ctx.db.one(changeApi, {
    tenantId,
    userToken: userToken ?? null,
    setCredential: credential !== undefined,
    credential: credential === undefined || credential === null ? null : sealCredential(ctx, tenantId, credential),
    apiUrl: wiring.apiUrl,
  })
  if (row === undefined && (await ctx.db.one(findImport, { tenantId })) !== undefined)
    return { kind: 'refused', error: MOVED }
  if (row === undefined)
    return {
      kind: 'nothing_imported',
      error: 'Nothing has been imported. Import an API with POST /v1/tools/import first.',
    }
  const { baseUrl } = row
  return { kind: 'changed', api: { baseUrl, userToken: row.userToken, credentialStored: row.credential !== null } }
}

const MOVED =
  'The API was imported at another address while this was on its way, and a credential is for one address alone. Nothing was changed: read import in GET /v1/tools, then send it again.'

const members = ['credential', 'userToken']

async function readChange(ctx: Context, body: unknown) {
  if (!isObject(body)) return { error: 'The body must be an object with credential, userToken, or both.' }
  const sent = Object.entries(body).filter(([, value]) => value !== null)
  const unknown = sent.find(([name]) => !members.includes(name))
  if (unknown !== undefined)
    return {
      error: `${shown(unknown[0])} cannot be changed here. Send credential, userToken, or both, and nothing else.`,
    }
  if (sent.length === 0) return { error: 'Nothing is to be changed. Send credential, userToken, or both.' }
  const mode = readUserToken(body.userToken)
  if ('fault' in mode) return { error: mode.fault }
  const read = await readCredential(ctx, body.credential)
  if ('fault' in read) return { error: read.fault }
  return { userToken: mode.userToken, credential: read.credential }
}

export function readUserToken(sent: Json | undefined): { userToken: UserTokenMode | undefined } | { fault: string } {
  if (sent === undefined || sent === null) return { userToken: undefined }
  const parsed = UserTokenMode.safeParse(sent)
  return parsed.success
    ? { userToken: parsed.data }
    : { fault: `userToken must be "ignore", "prefer" or "require", not ${shown(sent)}.` }
}
