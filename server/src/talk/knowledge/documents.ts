import type { KnowledgeDocument } from '@tether/contract'
import { refuse } from '../../kernel/http/index.ts'
import { inTurns } from '../../kernel/json/index.ts'
import { cutText, foundBy, packSegment } from '../../kernel/search/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { noTenant } from '../../tenancy/tenants/index.ts'
import { titleOf } from './library.ts'
import * as sql from './queries.ts'
import { type DocumentInput, nameOf, readDocument } from './read-input.ts'

/** Keeps a document, or replaces one. A reader sees the old one or the new one, never neither. */
export async function putDocument(ctx: Context, body: unknown): Promise<KnowledgeDocument> {
  const { knowledge } = ctx.settings
  const input = readDocument(body, knowledge.maxDocumentChars)
  const packed = await pack(ctx, input)
  const { tenantId } = ctx.asking
  const row = await ctx.db.transaction(async (tx) => {
    const counted = await tx.one(sql.countChange, { tenantId })
    if (counted === undefined) throw noTenant()
    const { exists = false, others = 0 } = (await tx.one(sql.findRoom, { tenantId, name: input.name })) ?? {}
    if (exists && !input.replace) throw isHeld(input.name)
    if (!exists && others >= knowledge.maxDocuments) throw isFull(knowledge.maxDocuments)
    return await tx.one(sql.writeDocument, { tenantId, version: counted.version, ...packed })
  })
  if (row === undefined) throw noTenant()
  return shown(row)
}

const isHeld = (name: string) =>
  refuse('knowledge_document_exists', `There is a document named ${name}. Send \`replace: true\`, or delete it first.`)

const isFull = (most: number) =>
  refuse('knowledge_limit_reached', `A workspace holds at most ${most} documents. Delete one, or put several into one.`)

/** Everything that a search needs is made here, once, so that a search only reads. */
async function pack({ settings }: Context, input: DocumentInput): Promise<sql.NewDocument> {
  const { chunkChars, chunkOverlapChars } = settings.knowledge
  const { name, format, text, chars, source } = input
  const size = { chars: chunkChars, overlap: Math.min(chunkOverlapChars, Math.floor(chunkChars / 2)) }
  const chunks = await inTurns(cutText(text, format, size))
  const title = titleOf(name)
  const segment = await inTurns(packSegment(chunks.map((chunk) => foundBy(title, text, chunk))))
  return {
    name,
    format,
    text,
    chars,
    source: source === null ? null : JSON.stringify(source),
    chunks: JSON.stringify(chunks.map(({ from, to, begins, heading }) => [from, to, begins, heading])),
    segment,
  }
}

export async function listDocuments(ctx: Context) {
  const rows = await ctx.db.rows(sql.listDocuments, { tenantId: ctx.asking.tenantId })
  return { documents: rows.map(shown), count: rows.length, limit: ctx.settings.knowledge.maxDocuments }
}

export async function readDocumentNamed(ctx: Context, written: string) {
  const name = nameOf(written)
  const row =
    name === undefined ? undefined : await ctx.db.one(sql.findDocument, { tenantId: ctx.asking.tenantId, name })
  if (row === undefined) throw isUnknown()
  return { ...shown(row), text: row.text }
}

export async function deleteDocument(ctx: Context, written: string): Promise<{ deleted: true; name: string }> {
  const name = nameOf(written)
  const row =
    name === undefined ? undefined : await ctx.db.one(sql.deleteDocument, { tenantId: ctx.asking.tenantId, name })
  if (row === undefined) throw isUnknown()
  return { deleted: true, name: row.name }
}

const isUnknown = () =>
  refuse('knowledge_document_not_found', 'There is no document of this name. `GET /v1/knowledge` lists them.')

export function mustBeEnabled({ settings }: Pick<Context, 'settings'>): void {
  if (settings.knowledge.enabled) return
  throw refuse('knowledge_disabled', 'Knowledge documents are turned off on this deployment. Ask its operator.')
}

const shown = ({ createdAt, updatedAt, ...row }: sql.DocumentRow): KnowledgeDocument => ({
  name: row.name,
  format: row.format,
  chars: row.chars,
  chunks: row.chunks,
  source: row.source,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})
