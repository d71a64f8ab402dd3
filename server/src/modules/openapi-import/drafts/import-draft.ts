// From what was declared to tools: the same two calls that the API takes.

import type { Imported } from '@tether/contract'
import type { z } from 'zod'
import type { Json } from '../../../kernel/json/index.ts'
import { isObject, member } from '../../../kernel/json/index.ts'
import type { Context } from '../../../tenancy/context/index.ts'
import {
  type Catalog,
  type CatalogDifference,
  type CatalogParts,
  compareVersions,
  replaceVersion,
} from '../../../tools/catalog/index.ts'
import { importApi } from '../index.ts'
import { replaced } from './declare.ts'
import { type DraftParts, documentOf } from './keep.ts'
import * as sql from './queries.ts'

type Sent = {
  readonly draftId: string
  readonly skipUndeclared: boolean
  /** As the API takes them; undefined leaves what is stored. */
  readonly credential?: unknown
  readonly userToken?: string | undefined
}
export type Fault = { readonly operation: string | null; readonly message: string }
export type DraftImported =
  | { readonly kind: 'imported'; readonly answer: z.input<typeof Imported> }
  | { readonly kind: 'refused'; readonly error: string; readonly faults: readonly Fault[] }

/** Imports what was declared. What is wrong stands beside its operation afterwards. */
export async function importDraft(ctx: Context, sent: Sent, parts: DraftParts): Promise<DraftImported> {
  const { tenantId } = ctx.asking
  const { draftId } = sent
  const whole = await ctx.db.one(sql.readWhole, { tenantId, draftId })
  if (whole === undefined) throw replaced()
  const body = await bodyOf(ctx, whole, sent, parts)
  const answer = await importApi(ctx, body, parts)
  const faults = answer.imported ? [] : (answer.errors ?? [])
  const noted = await ctx.db.one(sql.noteOutcome, {
    tenantId,
    draftId,
    faults: JSON.stringify(faults),
    isImported: answer.imported,
  })
  if (noted === undefined) throw replaced()
  return answer.imported ? { kind: 'imported', answer } : { kind: 'refused', error: answer.error, faults }
}

type Whole = { readonly document: Buffer; readonly baseUrl: string; readonly declared: readonly sql.DeclaredRow[] }

async function bodyOf(ctx: Context, whole: Whole, sent: Omit<Sent, 'draftId'>, { catalogs }: DraftParts) {
  const catalog = await catalogs.of(ctx)
  const said = whole.declared.flatMap((row) => {
    const declaration = declarationOf(row, catalog)
    return declaration === null ? [] : [[row.name, declaration] as const]
  })
  return {
    document: await documentOf(whole.document),
    baseUrl: whole.baseUrl,
    operations: Object.fromEntries(said),
    skipUndeclared: sent.skipUndeclared,
    ...(sent.credential === undefined ? {} : { credential: sent.credential }),
    ...(sent.userToken === undefined ? {} : { userToken: sent.userToken }),
  }
}

/** Null where nothing is declared any longer: a tool that was to stay as it is registered, and is not, may be a write. */
function declarationOf({ name, choice, risk, requiresCustomer }: sql.DeclaredRow, catalog: Catalog): object | null {
  if (choice === 'skip') return { skip: true }
  const registered = choice === 'keep' ? catalog.find(name) : undefined
  if (choice === 'keep' && (registered === undefined || registered.http === null)) return null
  return {
    // What is kept is declared as it is registered, and the registered tool takes its place afterwards.
    is_write: registered?.isWrite ?? choice === 'write',
    ...(risk === null ? {} : { risk }),
    ...(requiresCustomer ? { requires_customer: true } : {}),
  }
}

async function refusedBy({ db, asking }: Context, draftId: string, error: string, faults: readonly Fault[]) {
  const noted = { faults: JSON.stringify(faults), isImported: false }
  await db.one(sql.noteOutcome, { tenantId: asking.tenantId, draftId, ...noted })
  return { kind: 'refused', error, faults } as const
}

type RegisterParts = DraftParts & Pick<CatalogParts, 'policyWarnings' | 'declaredUpstream'>

/** The version that somebody saw, and the one that was registered in between; `difference` is null where a document is no longer kept. */
export type DraftMoved = {
  readonly kind: 'moved'
  readonly from: number
  readonly to: number
  readonly difference: CatalogDifference | null
}

const moved = async (ctx: Context, from: number, to: number): Promise<DraftMoved> => ({
  kind: 'moved',
  from,
  to,
  difference: await compareVersions(ctx, from, to),
})

/**
 * Puts what was imported into the catalog, in place of what was imported before. The tools of the business's own endpoint stay, and
 * so do the tools of operations that were kept as they are. `seen` is the version of the catalog that the person looked at: what
 * was registered since then is not replaced unseen, and the draft stays.
 */
export async function registerDraft(
  ctx: Context,
  { draftId, seen }: { readonly draftId: string; readonly seen: number },
  parts: RegisterParts,
) {
  const { tenantId, wiring } = ctx.asking
  if (wiring.catalogVersion !== seen) return await moved(ctx, seen, wiring.catalogVersion)
  const whole = await ctx.db.one(sql.readWhole, { tenantId, draftId })
  if (whole === undefined || whole.importedAt === null) throw replaced()
  const answer = await importApi(ctx, await bodyOf(ctx, whole, { skipUndeclared: true }, parts), parts)
  if (!answer.imported) return await refusedBy(ctx, draftId, answer.error, answer.errors ?? [])
  const catalog = await parts.catalogs.of(ctx)
  const own = catalog.tools.filter(({ http }) => http === null).map(({ raw }) => raw)
  const kept = new Set(whole.declared.flatMap(({ name, choice }) => (choice === 'keep' ? [name] : [])))
  const imported = answer.catalog.map((tool) => {
    const name = isObject(tool as Json) ? member(tool as { [name: string]: Json }, 'name') : undefined
    return typeof name === 'string' && kept.has(name) ? (catalog.find(name)?.raw ?? tool) : tool
  })
  const made = await replaceVersion(ctx, [...own, ...imported], parts, seen)
  if ('movedTo' in made) return await moved(ctx, seen, made.movedTo)
  if (!made.registered) {
    const faults = made.errors.map(({ tool, message }) => ({ operation: tool, message }))
    return await refusedBy(ctx, draftId, made.error, faults)
  }
  await ctx.db.one(sql.forgetDraft, { tenantId, draftId })
  return { kind: 'registered', made } as const
}
