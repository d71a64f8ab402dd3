import { z } from 'zod'
import { RepositorySource, Timestamp } from './schemas.ts'

export const KNOWLEDGE_FORMATS = ['text', 'markdown'] as const
export type KnowledgeFormat = (typeof KNOWLEDGE_FORMATS)[number]

export const KnowledgeRequest = z
  .object({
    name: z.string().meta({ description: '1 to 80 letters of any script, digits, `-`, `_` and `.`.' }),
    format: z.enum(KNOWLEDGE_FORMATS).optional().meta({ description: '`text` unless set.' }),
    text: z.string(),
    replace: z
      .boolean()
      .optional()
      .meta({ description: 'True to replace a document of this name. Otherwise an existing one is left as it is.' }),
    source: RepositorySource.nullable().optional(),
  })
  .meta({ id: 'KnowledgeRequest' })

const document = {
  name: z.string(),
  format: z.enum(KNOWLEDGE_FORMATS),
  chars: z.int().meta({ description: 'In Unicode code points.' }),
  chunks: z.int(),
  source: RepositorySource.nullable(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}
export const KnowledgeDocument = z.object(document).meta({ id: 'KnowledgeDocument' })
export type KnowledgeDocument = z.output<typeof KnowledgeDocument>

export const KnowledgeStored = z.object({ document: KnowledgeDocument }).meta({ id: 'KnowledgeStored' })
export const KnowledgeRead = z
  .object({ document: z.object({ ...document, text: z.string().meta({ description: 'As it was sent.' }) }) })
  .meta({ id: 'KnowledgeRead' })
export const KnowledgeList = z
  .object({
    documents: z.array(KnowledgeDocument),
    count: z.int(),
    limit: z.int().meta({ description: 'The most documents that the workspace may have.' }),
  })
  .meta({ id: 'KnowledgeList' })
export const KnowledgeDeleted = z
  .object({ deleted: z.literal(true), name: z.string() })
  .meta({ id: 'KnowledgeDeleted' })

export const KnowledgeHit = z
  .object({
    document: z.string(),
    chunk: z.int().meta({ description: 'Its place in the document, from 0.' }),
    heading: z.string().nullable().meta({ description: 'The path of Markdown headings above it.' }),
    score: z.number().meta({ description: 'Above 0, at most 1: the share of the question that it holds.' }),
    text: z.string(),
  })
  .meta({ id: 'KnowledgeHit' })
export type KnowledgeHit = z.output<typeof KnowledgeHit>
export const KnowledgeHits = z
  .object({ hits: z.array(KnowledgeHit).meta({ description: 'The best first. Empty if nothing fits.' }) })
  .meta({ id: 'KnowledgeHits' })
