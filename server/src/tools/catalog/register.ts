import type * as contract from '@tether/contract'
import type { z } from 'zod'
import { sha256Hex } from '../../kernel/crypto/index.ts'
import { refuse } from '../../kernel/http/index.ts'
import { isObject, type Json, type JsonObject, member, stringifyJson } from '../../kernel/json/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { noTenant } from '../../tenancy/tenants/index.ts'
import type { CatalogError } from './problems.ts'
import { findVersion, insertCatalog, type Registration } from './queries.ts'
import type { Tool } from './tool-spec.ts'
import { type CatalogChecked, validateCatalogInTurns } from './validate.ts'

type PolicyWarnings = z.output<typeof contract.PolicyWarnings>
type Registered = {
  registered: true
  version: number
  toolCount: number
  writeToolCount: number
  warnings: PolicyWarnings
}

/** What the app hands to this room, which may not ask for the policy itself. */
export type CatalogParts = {
  /** What the policy in force names and these tools lack. */
  readonly policyWarnings: (ctx: Context, tools: readonly Tool[]) => Promise<PolicyWarnings>
  /** The last import of an OpenAPI document, as the catalog shows it. */
  readonly importOf: (ctx: Context) => Promise<z.input<typeof contract.ImportShown> | null>
  /** The tools of the tenant's MCP servers, which are a part of whatever it registers. */
  readonly declaredUpstream: (ctx: Context) => Promise<DeclaredUpstream>
}

export type DeclaredUpstream = {
  /** How often they have changed. Null if nothing calls MCP servers, so their changes do not matter. */
  readonly version: number | null
  readonly entries: readonly JsonObject[]
}

type Refused = { registered: false; error: string; errors: CatalogError[] }

/** They may change between being read and being registered, but not for ever. */
const MOST_TRIES = 5

type RegisterParts = Pick<CatalogParts, 'policyWarnings' | 'declaredUpstream'>

/** Replaces the catalog entirely. A refused catalog leaves the present one as it is. */
export async function registerCatalog(
  ctx: Context,
  value: unknown,
  parts: RegisterParts,
): Promise<Registered | Refused> {
  const made = await place(ctx, value, parts, null)
  if ('movedTo' in made) throw noTenant()
  return made
}

/** Another version is in use than the one that was to be replaced. */
type Moved = { readonly movedTo: number }

/** Replaces this version of the catalog, and no other: one that came in between has not been seen by whoever replaces it. */
export const replaceVersion = (
  ctx: Context,
  value: unknown,
  parts: RegisterParts,
  version: number,
): Promise<Registered | Refused | Moved> => place(ctx, value, parts, version)

async function place(
  ctx: Context,
  value: unknown,
  parts: RegisterParts,
  basedOn: number | null,
): Promise<Registered | Refused | Moved> {
  for (let tried = 1; ; tried++) {
    const upstream = await parts.declaredUpstream(ctx)
    const whole = withUpstream(value, upstream)
    const checked = await validateCatalogInTurns(whole)
    if (!checked.ok) return { registered: false, error: checked.error, errors: checked.errors }
    // Before anything is written: a stored policy that cannot be read fails here.
    const warnings = await parts.policyWarnings(ctx, checked.tools)
    const registration = registrationOf(ctx, whole, checked)
    const made = await ctx.db.one(insertCatalog, { ...registration, upstreamsVersion: upstream.version, basedOn })
    const { toolCount, writeToolCount } = checked
    if (made !== undefined) return { registered: true, version: made.version, toolCount, writeToolCount, warnings }
    const inUse = await ctx.db.one(findVersion, { tenantId: ctx.asking.tenantId })
    if (inUse === undefined) throw noTenant()
    if (basedOn !== null && inUse.catalogVersion !== basedOn) return { movedTo: inUse.catalogVersion }
    if (tried === MOST_TRIES) throw catalogChanged()
  }
}

/** Each try was overtaken by another change of the catalog. */
export const catalogChanged = () =>
  refuse(
    'catalog_changed',
    'Other requests changed the catalog each time that this one was about to. Nothing was changed: send the request again.',
  )

type Accepted = Extract<CatalogChecked, { ok: true }>

export function registrationOf(ctx: Context, value: unknown, { toolCount, writeToolCount }: Accepted): Registration {
  const tools = stored(value)
  const { keepBytes } = ctx.settings.catalog
  return { tenantId: ctx.asking.tenantId, tools, hash: sha256Hex(tools), keepBytes, toolCount, writeToolCount }
}

/** What an upstream brought in comes back with a catalog that was read, and is what its server's declaration says. */
function withUpstream(value: unknown, { entries }: DeclaredUpstream): unknown {
  if (entries.length === 0 || !Array.isArray(value)) return value
  const names = new Set(entries.map((entry) => entry.name))
  const isOne = (tool: unknown) => isObject(tool) && member(tool, 'upstream') === true && names.has(tool.name ?? null)
  return [...value.filter((tool) => !isOne(tool)), ...entries]
}

/** What a registration would answer, without registering anything. */
export async function tryCatalog(ctx: Context, value: unknown, { declaredUpstream }: CatalogParts) {
  return presentCheck(await validateCatalogInTurns(withUpstream(value, await declaredUpstream(ctx))))
}

function presentCheck(checked: CatalogChecked) {
  if (!checked.ok) return { valid: false as const, error: checked.error, errors: checked.errors }
  const { toolCount, writeToolCount, warnings } = checked
  return { valid: true as const, toolCount, writeToolCount, tools: checked.tools.map(presentTool), warnings }
}

const presentTool = (tool: Tool) => ({
  name: tool.name,
  domain: tool.domain,
  isWrite: tool.isWrite,
  risk: tool.risk,
  requiresScope: tool.requiresScope,
  surfaces: { chat: tool.chatEligible, agent: tool.agentEligible },
})

// A validated catalog is JSON. Its numbers are written back as they came.
const stored = (value: unknown): string => stringifyJson(value as Json)
