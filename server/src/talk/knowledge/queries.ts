import type { KnowledgeFormat, RepositorySource } from '@tether/contract'
import { statement } from '../../kernel/db/index.ts'

/** Rings when a document is written, so that its vectors are made at once. */
export const KNOWLEDGE_BELL = 'knowledge'

export type DocumentRow = {
  name: string
  format: KnowledgeFormat
  chars: number
  chunks: number
  source: RepositorySource | null
  createdAt: Date
  updatedAt: Date
}

const columns = `name, format, chars, jsonb_array_length(chunks) as chunks, source, created_at as "createdAt", updated_at as "updatedAt"`

/** Two changes at once come one after the other, each with a version of its own. */
export const countChange = statement<{ version: number }, { tenantId: number }>(
  'knowledge.count_change',
  `update tenants set knowledge_version = knowledge_version + 1
    where tenant_id = $tenantId::int and deleted_at is null
   returning knowledge_version as version`,
  { guest: { tenants: '`tenants` counts the changes, because every request reads it' } },
)

/** Says what would refuse the document. It runs under the lock of `countChange`. */
export const findRoom = statement<{ exists: boolean; others: number }, { tenantId: number; name: string }>(
  'knowledge.find_room',
  `select coalesce(bool_or(name = $name::text), false) as exists, count(*) filter (where name <> $name::text)::int as others
     from knowledge_documents where tenant_id = $tenantId::int`,
)

export type NewDocument = {
  readonly name: string
  readonly format: KnowledgeFormat
  readonly text: string
  readonly chars: number
  /** As JSON text. */
  readonly source: string | null
  readonly chunks: string
  readonly segment: Uint8Array
}

export const writeDocument = statement<DocumentRow, NewDocument & { tenantId: number; version: number }>(
  'knowledge.write',
  `insert into knowledge_documents (tenant_id, name, format, text, chars, source, chunks, segment, version,
                                    updated_at, embed_at)
   values ($tenantId::int, $name::text, $format::text, $text::text, $chars::int, $source::jsonb, $chunks::jsonb,
           $segment::bytea, $version::int, now(), now())
   on conflict (tenant_id, name) do update
      set format = excluded.format, text = excluded.text, chars = excluded.chars, source = excluded.source,
          chunks = excluded.chunks, segment = excluded.segment, version = excluded.version,
          updated_at = excluded.updated_at, older_vectors = null, older_model = null, older_dimensions = null,
          embed_at = excluded.embed_at, embed_tries = 0
   returning ${columns}`,
  { wakes: [KNOWLEDGE_BELL] },
)

export const listDocuments = statement<DocumentRow, { tenantId: number }>(
  'knowledge.list',
  `select ${columns} from knowledge_documents where tenant_id = $tenantId::int order by name collate "C"`,
)

export const findDocument = statement<DocumentRow & { text: string }, { tenantId: number; name: string }>(
  'knowledge.find',
  `select ${columns}, text from knowledge_documents where tenant_id = $tenantId::int and name = $name::text`,
)

/** One statement counts the change and makes it: a version that nothing deleted costs a reader one look. */
export const deleteDocument = statement<{ name: string }, { tenantId: number; name: string }>(
  'knowledge.delete',
  `with counted as (
     update tenants set knowledge_version = knowledge_version + 1
      where tenant_id = $tenantId::int and deleted_at is null
     returning tenant_id
   )
   delete from knowledge_documents d using counted c
    where d.tenant_id = $tenantId::int and d.tenant_id = c.tenant_id and d.name = $name::text
   returning d.name`,
  { guest: { tenants: '`tenants` counts the changes, because every request reads it' } },
)

export type HeldRow = {
  name: string
  version: number
  /** Null where the reader holds this version already. */
  text: string | null
  chunks: string | null
  segment: Buffer | null
  /** Names the vectors; 0 if there are none of this version. */
  stamp: number
  /** Null where the reader holds these already, and where there are none. */
  vectors: Buffer | null
  model: string | null
  dimensions: number | null
  olderVectors: Buffer | null
  olderModel: string | null
  olderDimensions: number | null
}

type Known = {
  readonly tenantId: number
  readonly known: readonly number[]
  readonly knownStamps: readonly number[]
  readonly withVectors: boolean
}

/** What a process keeps in memory of a tenant's documents, without those that it holds. */
export const readHeld = statement<HeldRow, Known>(
  'knowledge.read_held',
  `select name, version,
          case when version = any($known::int[]) then null else text end as text,
          case when version = any($known::int[]) then null else chunks::text end as chunks,
          case when version = any($known::int[]) then null else segment end as segment,
          -- Vectors of another version of a document belong to chunks that it no longer has.
          case when $withVectors::boolean and vectors_version = version then vectors_stamp else 0 end as stamp,
          case when $withVectors::boolean and vectors_version = version and vectors_stamp <> all ($knownStamps::int[])
               then vectors end as vectors,
          vectors_model as model, vectors_dimensions as dimensions,
          case when $withVectors::boolean and vectors_version = version and vectors_stamp <> all ($knownStamps::int[])
               then older_vectors end as "olderVectors",
          older_model as "olderModel", older_dimensions as "olderDimensions"
     from knowledge_documents where tenant_id = $tenantId::int order by name collate "C"`,
)
