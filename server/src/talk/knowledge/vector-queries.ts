import { statement } from '../../kernel/db/index.ts'
import { dueRows, SWEEP, type SweepFound, type SweepLook } from '../../tenancy/jobs/index.ts'

/** Which model, and how many dimensions were asked of it. */
type OfSpace = { readonly model: string; readonly dimensions: number }

/** Documents that wait for their vectors, by the time since which they wait. */
export const listToEmbed = statement<SweepFound, SweepLook>(
  'knowledge.list_to_embed',
  dueRows({ table: 'knowledge_documents', id: 'name', due: 'embed_at <= now()', order: 'embed_at' }),
  { looks: SWEEP },
)

export type DueRow = {
  text: string
  chunks: string
  version: number
  vectors: Buffer | null
  model: string | null
  dimensions: number | null
  tries: number
  plan: string
  dailyCapUsd: number | null
  monthlyCapUsd: number | null
}

/** Takes a document under a lease, so that no two processes pay for it. Returns no row if another one has it. */
export const claimDocument = statement<DueRow, { tenantId: number; name: string; leaseSeconds: number }>(
  'knowledge.claim_document',
  `update knowledge_documents d
      set embed_at = now() + make_interval(secs => $leaseSeconds::float8), embed_tries = d.embed_tries + 1
     from tenants t
    where d.tenant_id = $tenantId::int and d.name = $name::text and d.embed_at <= now()
      and t.tenant_id = d.tenant_id and t.tenant_id = $tenantId::int and t.deleted_at is null
   returning d.text, d.chunks::text as chunks, d.version, d.vectors, d.vectors_model as model,
             d.vectors_dimensions as dimensions, d.embed_tries as tries, t.plan,
             t.daily_cap_usd::float8 as "dailyCapUsd", t.monthly_cap_usd::float8 as "monthlyCapUsd"`,
)

type NewVectors = OfSpace & {
  readonly tenantId: number
  readonly name: string
  /** Of the document that they were made from. */
  readonly version: number
  readonly vectors: Uint8Array
}

/**
 * Keeps the vectors of a document and counts the change, so that every process reads them. Those of the model before stay beside
 * them if they are of the same text. A document that was replaced meanwhile stays due, and then pays only for what changed.
 */
export const keepVectors = statement<{ stamp: number }, NewVectors>(
  'knowledge.keep_vectors',
  `with counted as (
     update tenants t set knowledge_version = t.knowledge_version + 1
      where t.tenant_id = $tenantId::int and t.deleted_at is null
        and exists (select 1 from knowledge_documents d where d.tenant_id = $tenantId::int and d.name = $name::text)
     returning t.tenant_id, t.knowledge_version as stamp, now() as at
   ), kept as (
     select d.name, d.vectors, d.vectors_model as model, d.vectors_dimensions as dimensions, d.vectors_version = d.version as serves
       from knowledge_documents d
      where d.tenant_id = $tenantId::int and d.name = $name::text
        and (d.vectors_model is distinct from $model::text or d.vectors_dimensions is distinct from $dimensions::int)
   )
   update knowledge_documents d
      set older_vectors = case when k.name is null then d.older_vectors when k.serves then k.vectors end,
          older_model = case when k.name is null then d.older_model when k.serves then k.model end,
          older_dimensions = case when k.name is null then d.older_dimensions when k.serves then k.dimensions end,
          vectors = $vectors::bytea, vectors_model = $model::text, vectors_dimensions = $dimensions::int,
          vectors_version = $version::int, vectors_stamp = c.stamp,
          embed_at = case when d.version = $version::int then null else c.at end, embed_tries = 0
     from counted c
     left join kept k on true
    where d.tenant_id = $tenantId::int and d.tenant_id = c.tenant_id and d.name = $name::text
   returning d.vectors_stamp as stamp`,
  { guest: { tenants: '`tenants` counts the changes, because every request reads it' } },
)

/** Tries a document again later. What could not even be tried does not count as a try. */
export const putOff = statement<unknown, { tenantId: number; name: string; seconds: number; tries: number }>(
  'knowledge.put_off',
  `update knowledge_documents
      set embed_at = now() + make_interval(secs => $seconds::float8), embed_tries = $tries::int
    where tenant_id = $tenantId::int and name = $name::text and embed_at is not null`,
)

/** Forgets the vectors of the model before once every document of the tenant has new ones. */
export const dropOlder = statement<unknown, OfSpace & { tenantId: number }>(
  'knowledge.drop_older_vectors',
  `update knowledge_documents
      set older_vectors = null, older_model = null, older_dimensions = null
    where tenant_id = $tenantId::int and older_model is not null
      and not exists (select 1 from knowledge_documents d
                       where d.tenant_id = $tenantId::int and (d.vectors_version is distinct from d.version or d.vectors_model is distinct from $model::text
                              or d.vectors_dimensions is distinct from $dimensions::int))`,
)

/** Documents that are done, but with another model or length than is set up now. */
export const listOfOthers = statement<SweepFound, OfSpace & SweepLook>(
  'knowledge.list_of_others',
  `select d.tenant_id as "tenantId", d.name as id from knowledge_documents d
    where d.embed_at is null and d.tenant_id <> all ($passedOver::int[])
      and (d.vectors_model is distinct from $model::text or d.vectors_dimensions is distinct from $dimensions::int)
    limit $limit::int`,
  { looks: SWEEP },
)

export const makeDue = statement<{ taken: number }, { tenantId: number; ids: readonly string[] }>(
  'knowledge.make_due',
  `with due as (
     update knowledge_documents set embed_at = now(), embed_tries = 0
      where tenant_id = $tenantId::int and name = any ($ids::text[]) and embed_at is null
     returning 1
   )
   select count(*)::int as taken from due`,
)

export const countWaiting = statement<{ waiting: number }>(
  'knowledge.count_waiting',
  'select count(*)::int as waiting from knowledge_documents where embed_at is not null',
  { looks: 'a figure of the whole deployment' },
)
