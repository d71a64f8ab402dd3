import type * as contract from '@tether/contract'
import type { z } from 'zod'
import { refuse } from '../../kernel/http/index.ts'
import { isObject, type Json, type JsonObject, parseJson } from '../../kernel/json/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { noTenant } from '../../tenancy/tenants/index.ts'
import { catalogChanged, readCatalog, registrationOf, validateCatalogInTurns } from '../../tools/catalog/index.ts'
import { declare } from './declare.ts'
import { bindingOf, type DeclaredTool, type RemoteTool, writtenTools } from './declared-tool.ts'
import { LONGEST_CREDENTIAL, MOST_UPSTREAMS } from './limits.ts'
import { listTools } from './looks.ts'
import { credentialOf } from './open-server.ts'
import {
  countUpstreams,
  findUpstream,
  findVersion,
  placeUpstream,
  removeUpstream,
  sealedCredentials,
  type UpstreamRow,
} from './queries.ts'
import type { Reaching } from './reaching.ts'
import { UPSTREAM_NAME } from './tool-name.ts'
import { noUpstream } from './upstreams.ts'

type Asked = z.output<typeof contract.UpstreamRequest>

export type Registered =
  | { readonly ok: true; readonly version: number; readonly row: UpstreamRow; readonly skipped: readonly string[] }
  | { readonly ok: false; readonly error: string; readonly offered?: readonly RemoteTool[] }

/** Looks at a server, and makes what was declared of its tools a part of the catalog. A refusal changes nothing. */
export async function registerUpstream(ctx: Context & Reaching, name: string, asked: Asked): Promise<Registered> {
  const { db, asking } = ctx
  const { tenantId } = asking
  if (!UPSTREAM_NAME.test(name))
    return {
      ok: false,
      error: 'The name of a server is 1 to 32 lower-case letters, digits and underscores, and begins with a letter.',
    }
  const before = await db.one(findUpstream, { tenantId, name })
  const { many = 0 } = before === undefined ? ((await db.one(countUpstreams, { tenantId })) ?? {}) : {}
  if (many >= MOST_UPSTREAMS)
    return { ok: false, error: `A workspace has at most ${MOST_UPSTREAMS} servers. Remove one first.` }
  const url = await allowed(ctx, asked.url)
  const credential = credentialFor(ctx, before, url, asked.credential)
  const deadlineMs = ctx.settings.toolTransport.timeoutSeconds * 1000
  const looked = await listTools(ctx, { url, credential }, deadlineMs)
  if (!looked.ok) return { ok: false, error: `The tools of the server could not be listed. ${looked.message}` }
  const declared = declare(name, looked.value, asked)
  if (!declared.ok) return { ok: false, error: declared.problems.join(' '), offered: looked.value.tools }
  const sealed = credential === null ? null : ctx.keyring.seal(credential, sealedCredentials.place(tenantId, name))
  const written = writtenTools(declared.tools)
  const made = await amendCatalog(ctx, name, declared.tools, (registration) =>
    db.one(placeUpstream, { ...registration, name, url, credential: sealed, declared: written }),
  )
  if (!made.ok) return made
  const { version, ...row } = made.value
  return { ok: true, version, row, skipped: declared.skipped }
}

export type Removed = { readonly ok: true; readonly version: number } | { readonly ok: false; readonly error: string }

/** Its tools leave the catalog with it. What still rests on one of them keeps it. */
export async function unregisterUpstream(ctx: Context, name: string): Promise<Removed> {
  const { db, asking } = ctx
  if ((await db.one(findUpstream, { tenantId: asking.tenantId, name })) === undefined) throw noUpstream(name)
  const made = await amendCatalog(ctx, name, [], (registration) => db.one(removeUpstream, { ...registration, name }))
  return made.ok ? { ok: true, version: made.value.version } : made
}

/** An address that the guard refuses is refused now, not at the first call. */
async function allowed({ egress }: Context, given: string): Promise<string> {
  const checked = await egress.checkAddress(given.trim(), { noun: 'The address of the server', purpose: 'tool' })
  if (checked.ok || checked.reason === 'unresolved') return checked.url
  throw refuse('invalid_endpoint', checked.message)
}

function credentialFor(
  ctx: Context,
  before: UpstreamRow | undefined,
  url: string,
  given: string | null | undefined,
): string | null {
  if (given === '' || given === null) return null
  if (given !== undefined) return wellFormed(given)
  if (before === undefined || before.credential === null) return null
  // Whoever could move the address could otherwise have the stored credential sent anywhere.
  if (new URL(before.url).origin !== new URL(url).origin)
    throw refuse(
      'invalid_request',
      'The stored credential is for another address. Send `credential` again, or an empty text.',
    )
  const stored = credentialOf(ctx, before)
  if (stored === undefined)
    throw refuse(
      'secret_unreadable',
      'The stored credential does not open. Send `credential` again, or have the encryption key restored.',
    )
  return stored
}

function wellFormed(given: string): string {
  if (given.length <= LONGEST_CREDENTIAL && /^[\x21-\x7e]+$/.test(given)) return given
  throw refuse(
    'invalid_request',
    `\`credential\` is 1 to ${LONGEST_CREDENTIAL} printable ASCII characters without spaces.`,
  )
}

type Amended<Row> = { readonly ok: true; readonly value: Row } | { readonly ok: false; readonly error: string }
type Placing = ReturnType<typeof registrationOf> & { readonly basedOn: number }

/** The catalog may be registered anew while this is made, but not for ever. */
const MOST_TRIES = 5

async function amendCatalog<Row>(
  ctx: Context,
  server: string,
  tools: readonly DeclaredTool[],
  place: (registration: Placing) => Promise<Row | undefined>,
): Promise<Amended<Row>> {
  const { tenantId, wiring } = ctx.asking
  for (let tried = 1; tried <= MOST_TRIES; tried++) {
    const now = await ctx.db.one(findVersion, { tenantId })
    if (now === undefined) throw noTenant()
    const { catalogVersion } = now
    const current = await readCatalog({ ...ctx, asking: { ...ctx.asking, wiring: { ...wiring, catalogVersion } } })
    const catalog = [...othersIn(current?.tools ?? '[]', server), ...tools.map(({ entry }) => entry)]
    const checked = await validateCatalogInTurns(catalog)
    if (!checked.ok) return { ok: false, error: checked.error }
    const value = await place({ ...registrationOf(ctx, catalog, checked), basedOn: catalogVersion })
    if (value !== undefined) return { ok: true, value }
  }
  throw catalogChanged()
}

/** The tools of a catalog without those of a server. */
const othersIn = (text: string, server: string): Json[] => {
  const tools = parseJson(text)
  return Array.isArray(tools) ? tools.filter((tool) => !isOf(tool, server)) : []
}

const isOf = (tool: Json, server: string): boolean => isObject(tool) && bindingOf(tool as JsonObject)?.server === server
