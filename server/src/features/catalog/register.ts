import type * as contract from '@tether/contract'
import type { z } from 'zod'
import { sha256Hex } from '../../foundation/crypto/index.ts'
import { type Json, stringifyJson } from '../../foundation/json/index.ts'
import type { Context } from '../../ground/context/index.ts'
import { noTenant } from '../../ground/tenants/index.ts'
import type { CatalogError } from './problems.ts'
import { insertCatalog } from './queries.ts'
import type { Tool } from './tool-spec.ts'
import { type CatalogChecked, validateCatalogInTurns } from './validate.ts'

type PolicyWarnings = z.output<typeof contract.PolicyWarnings>
export type Registered = {
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
}

type Refused = { registered: false; error: string; errors: CatalogError[] }

/** Replaces the catalog entirely. A refused catalog leaves the present one as it is. */
export async function registerCatalog(
  ctx: Context,
  value: unknown,
  { policyWarnings }: Pick<CatalogParts, 'policyWarnings'>,
): Promise<Registered | Refused> {
  const checked = await validateCatalogInTurns(value)
  if (!checked.ok) return { registered: false, error: checked.error, errors: checked.errors }
  const { toolCount, writeToolCount } = checked
  // Before anything is written: a stored policy that cannot be read fails here.
  const warnings = await policyWarnings(ctx, checked.tools)
  const tools = stored(value)
  const made = await ctx.db.one(insertCatalog, {
    tenantId: ctx.asking.tenantId,
    tools,
    hash: sha256Hex(tools),
    keepBytes: ctx.settings.catalog.keepBytes,
    toolCount,
    writeToolCount,
  })
  if (made === undefined) throw noTenant()
  return { registered: true, version: made.version, toolCount, writeToolCount, warnings }
}

/** What a registration would answer, without registering anything. */
export async function tryCatalog(value: unknown) {
  return presentCheck(await validateCatalogInTurns(value))
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
