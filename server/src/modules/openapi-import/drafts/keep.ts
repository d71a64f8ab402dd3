import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { newUuid } from '../../../kernel/ids/index.ts'
import { cut } from '../../../kernel/json/index.ts'
import type { Context } from '../../../tenancy/context/index.ts'
import { noTenant } from '../../../tenancy/tenants/index.ts'
import { type ImportParts, importApi } from '../index.ts'
import * as sql from './queries.ts'
import { sectionsOf } from './sections.ts'

export type DraftParts = ImportParts

/** Of a document that is declared in the console. A larger one goes over the API. */
export const mostDraftBytes = 16 * 1024 * 1024
/** How long a document waits to be registered after it was read. */
export const DRAFT_DAYS = 30
const LONGEST_DESCRIPTION = 300
const LONGEST_INPUTS = 300

const [pack, unpack] = [promisify(gzip), promisify(gunzip)]

type Answer = Awaited<ReturnType<typeof importApi>>
type Drafted = NonNullable<Extract<Answer, { imported: false }>['operations']>[number]
type Changes = Extract<Answer, { imported: false }>['changes']

export type KeptDraft =
  | { readonly kind: 'kept'; readonly total: number }
  | { readonly kind: 'refused'; readonly error: string }

/** Drafts an import, and keeps it for a person to declare. Another draft of the tenant is gone with it. */
export async function keepDraft(
  ctx: Context,
  { document, baseUrl }: { readonly document: string; readonly baseUrl: string },
  parts: DraftParts,
): Promise<KeptDraft> {
  const bytes = Buffer.byteLength(document)
  if (bytes > mostDraftBytes) return { kind: 'refused', error: tooLarge }
  const answer = await importApi(ctx, { document, baseUrl }, parts)
  if (answer.imported || answer.operations === undefined)
    return { kind: 'refused', error: answer.imported ? '' : answer.error }
  const { operations, notes = [], changes } = answer
  const { tenantId } = ctx.asking
  const kept = await ctx.db.one(sql.keepDraft, {
    tenantId,
    draftId: newUuid(ctx.clock.now()),
    document: await pack(document),
    baseUrl: baseUrl.trim(),
    notes: JSON.stringify(notes),
    removed: JSON.stringify(changes?.removed ?? []),
    operations: JSON.stringify(rowsOf(operations, changes)),
  })
  if (kept === undefined) throw noTenant()
  return { kind: 'kept', total: kept.total }
}

const tooLarge = `The document is larger than ${mostDraftBytes / 1024 / 1024} MiB, the most that is declared here. Import it with POST /v1/tools/import.`

function rowsOf(operations: readonly Drafted[], changes: Changes) {
  const [added, changed] = [changes?.added ?? [], changes?.changed ?? []].map(
    (list) => new Set(list.map(({ name }) => name)),
  )
  const changeOf = (name: string): sql.Change | null => {
    if (changes === undefined) return null
    return added?.has(name) ? 'added' : changed?.has(name) ? 'changed' : 'same'
  }
  const sections = sectionsOf(operations.map(({ path }) => path))
  return operations.map(({ name, method, path, description, parameters, deprecated }, place) => ({
    place,
    name,
    method,
    path,
    section: sections[place] ?? '/',
    description: cut(description, LONGEST_DESCRIPTION),
    inputs: cut(parameters.map((one) => (one.required ? one.name : `${one.name}?`)).join(', '), LONGEST_INPUTS),
    deprecated: deprecated === true,
    change: changeOf(name),
  }))
}

export const documentOf = async (packed: Uint8Array): Promise<string> =>
  (await unpack(packed, { maxOutputLength: mostDraftBytes })).toString('utf8')

/** False where another document has taken its place. */
export async function forgetDraft({ db, asking }: Context, draftId: string): Promise<boolean> {
  return (await db.one(sql.forgetDraft, { tenantId: asking.tenantId, draftId })) !== undefined
}
