import type { Risk } from '@tether/contract'
import { statement } from '../../../kernel/db/index.ts'
import { SWEEP } from '../../../tenancy/jobs/index.ts'

export type Choice = 'read' | 'write' | 'skip' | 'keep'
export type Change = 'added' | 'changed' | 'same'

/** As JSON, a list of operations in the order of the document. */
type Kept = {
  tenantId: number
  draftId: string
  document: Uint8Array
  baseUrl: string
  notes: string
  removed: string
  operations: string
}

/** Takes the place of the draft before it, with everything that was said of that. No row: the tenant is gone. */
export const keepDraft = statement<{ total: number }, Kept>(
  'drafts.keep',
  `with living as (
     select tenant_id from tenants where tenant_id = $tenantId::int and deleted_at is null for key share
   ), gone as (
     delete from import_draft_operations o using living l where o.tenant_id = $tenantId::int and o.tenant_id = l.tenant_id
   ), made as (
     insert into import_draft_operations
            (tenant_id, draft_id, place, name, method, path, section, description, inputs, deprecated, change)
     select l.tenant_id, $draftId::uuid, o.place, o.name, o.method, o.path, o.section, o.description, o.inputs, o.deprecated, o.change
       from living l cross join json_to_recordset($operations::json) as o (
            place int, name text, method text, path text, section text, description text, inputs text, deprecated boolean, change text)
     returning place
   )
   insert into import_drafts as d (tenant_id, draft_id, document, base_url, notes, removed, operation_count, made_at)
   select l.tenant_id, $draftId::uuid, $document::bytea, $baseUrl::text, $notes::json, $removed::json, (select count(*) from made), now()
     from living l
   on conflict (tenant_id) do update
      set draft_id = excluded.draft_id, document = excluded.document, base_url = excluded.base_url, notes = excluded.notes,
          removed = excluded.removed, operation_count = excluded.operation_count, made_at = excluded.made_at, imported_at = null
   returning d.operation_count as total`,
)

export type DraftRow = {
  draftId: string
  baseUrl: string
  notes: readonly { code: string; operation: string | null; message: string }[]
  removed: readonly { name: string; method: string; path: string }[]
  total: number
  madeAt: Date
  importedAt: Date | null
}

export const findDraft = statement<DraftRow, { tenantId: number }>(
  'drafts.find',
  `select draft_id as "draftId", base_url as "baseUrl", notes, removed, operation_count as total, made_at as "madeAt",
          imported_at as "importedAt"
     from import_drafts where tenant_id = $tenantId::int`,
)

export type MethodCount = {
  method: string
  total: number
  open: number
  reads: number
  writes: number
  kept: number
  faults: number
  changed: number
  same: number
  sameOpen: number
}

export const countByMethod = statement<MethodCount, { tenantId: number; draftId: string }>(
  'drafts.count_by_method',
  `select method, count(*)::int as total, count(*) filter (where choice is null)::int as open,
          count(*) filter (where choice = 'read')::int as reads, count(*) filter (where choice = 'write')::int as writes,
          count(*) filter (where choice = 'keep')::int as kept, count(*) filter (where fault is not null)::int as faults,
          count(*) filter (where change in ('added', 'changed'))::int as changed,
          count(*) filter (where change = 'same')::int as same,
          count(*) filter (where change = 'same' and choice is null)::int as "sameOpen"
     from import_draft_operations where tenant_id = $tenantId::int and draft_id = $draftId::uuid
    group by method order by method`,
)

export type SectionCount = { section: string; total: number; open: number }

export const countBySection = statement<SectionCount, { tenantId: number; draftId: string; most: number }>(
  'drafts.count_by_section',
  `select section, count(*)::int as total, count(*) filter (where choice is null)::int as open
     from import_draft_operations where tenant_id = $tenantId::int and draft_id = $draftId::uuid
    group by section order by section limit $most::int`,
)

export type OperationRow = {
  place: number
  name: string
  method: string
  path: string
  description: string
  inputs: string
  deprecated: boolean
  change: Change | null
  choice: Choice | null
  risk: Risk | null
  requiresCustomer: boolean
  fault: string | null
}

/** What is looked for: everything where a value is null. */
export type Filter = {
  readonly state: 'open' | 'declared' | 'faults' | 'changed' | null
  readonly method: string | null
  readonly section: string | null
  readonly words: string | null
}

const FITS = `($state::text is null
          or case $state::text when 'open' then choice is null when 'declared' then choice is not null
                               when 'faults' then fault is not null else change in ('added', 'changed') end)
      and ($method::text is null or method = $method::text)
      and ($section::text is null or section = $section::text)
      and ($words::text is null or position(lower($words::text) in lower(name || ' ' || path || ' ' || description)) > 0)`

export const listOperations = statement<
  OperationRow & { fitting: number },
  Filter & { tenantId: number; draftId: string; most: number; skipped: number }
>(
  'drafts.list_operations',
  `select place, name, method, path, description, inputs, deprecated, change, choice, risk,
          requires_customer as "requiresCustomer", fault, count(*) over ()::int as fitting
     from import_draft_operations
    where tenant_id = $tenantId::int and draft_id = $draftId::uuid and ${FITS}
    order by place limit $most::int offset $skipped::int`,
)

/** What was imported is no longer what is declared. No row: another document has taken its place. */
const REOPENED = `reopened as (
     update import_drafts set imported_at = null
      where tenant_id = $tenantId::int and draft_id = $draftId::uuid
     returning draft_id
   )`

export const declareOperations = statement<{ declared: number }, { tenantId: number; draftId: string; said: string }>(
  'drafts.declare',
  `with ${REOPENED}, declared as (
     update import_draft_operations o
        set choice = s.choice, risk = s.risk, requires_customer = s.customer, fault = null
       from reopened r cross join json_to_recordset($said::json) as s (place int, choice text, risk text, customer boolean)
      where o.tenant_id = $tenantId::int and o.draft_id = r.draft_id and o.place = s.place
        and (s.choice is distinct from 'keep' or o.change = 'same')
     returning o.place
   )
   select count(*)::int as declared from declared having exists (select 1 from reopened)`,
)

/** Of all that nobody has declared, and fits. */
export const declareOpen = statement<
  { declared: number },
  {
    tenantId: number
    draftId: string
    method: string | null
    section: string | null
    choice: Choice
    risk: Risk | null
  }
>(
  'drafts.declare_open',
  `with ${REOPENED}, declared as (
     update import_draft_operations o set choice = $choice::text, risk = $risk::text
       from reopened r
      where o.tenant_id = $tenantId::int and o.draft_id = r.draft_id and o.choice is null
        and ($method::text is null or o.method = $method::text)
        and ($section::text is null or o.section = $section::text)
        and ($choice::text <> 'keep' or o.change = 'same')
     returning o.place
   )
   select count(*)::int as declared from declared having exists (select 1 from reopened)`,
)

export type DeclaredRow = Pick<OperationRow, 'name' | 'choice' | 'risk' | 'requiresCustomer'>

/** With the draft, so that the two belong together. */
export const readWhole = statement<
  { document: Buffer; baseUrl: string; importedAt: Date | null; declared: readonly DeclaredRow[] },
  { tenantId: number; draftId: string }
>(
  'drafts.read_whole',
  `select d.document, d.base_url as "baseUrl", d.imported_at as "importedAt", (
            select coalesce(json_agg(json_build_object('name', o.name, 'choice', o.choice, 'risk', o.risk,
                                                       'requiresCustomer', o.requires_customer) order by o.place), '[]'::json)
              from import_draft_operations o
             where o.tenant_id = $tenantId::int and o.draft_id = $draftId::uuid and o.choice is not null) as declared
     from import_drafts d where d.tenant_id = $tenantId::int and d.draft_id = $draftId::uuid`,
)

/** What the import said: of each operation what is wrong with it, or that nothing is. */
export const noteOutcome = statement<
  { draftId: string },
  { tenantId: number; draftId: string; faults: string; isImported: boolean }
>(
  'drafts.note_outcome',
  `with draft as (
     update import_drafts d set imported_at = case when $isImported::boolean then moment.at end
       from (select now() as at) as moment
      where d.tenant_id = $tenantId::int and d.draft_id = $draftId::uuid
     returning d.draft_id
   ), noted as (
     update import_draft_operations o
        set fault = (select string_agg(f.message, ' ') from json_to_recordset($faults::json) as f (operation text, message text)
                      where f.operation = o.name)
       from draft d
      where o.tenant_id = $tenantId::int and o.draft_id = d.draft_id
        and (o.fault is not null or o.name in (
              select n.operation from json_to_recordset($faults::json) as n (operation text)))
   )
   select draft_id as "draftId" from draft`,
)

export const forgetDraft = statement<{ draftId: string }, { tenantId: number; draftId: string }>(
  'drafts.forget',
  `with gone as (
     delete from import_drafts where tenant_id = $tenantId::int and draft_id = $draftId::uuid
     returning draft_id
   ), operations as (
     -- Of two documents that came at once, the one that lost its place has left its own.
     delete from import_draft_operations o using gone where o.tenant_id = $tenantId::int
   )
   select draft_id as "draftId" from gone`,
)

const IS_OLD = 'd.made_at < now() - make_interval(secs => $days::float8 * 86400)'

export const listOld = statement<
  { tenantId: number; id: string },
  { passedOver: readonly number[]; limit: number; days: number }
>(
  'drafts.list_old',
  `select d.tenant_id as "tenantId", d.draft_id::text as id from import_drafts d
    where ${IS_OLD} and d.tenant_id <> all ($passedOver::int[])
    order by d.made_at
    limit $limit::int`,
  { looks: SWEEP },
)

export const forgetOld = statement<{ taken: number }, { tenantId: number; ids: readonly string[]; days: number }>(
  'drafts.forget_old',
  `with gone as (
     delete from import_drafts g
      where g.tenant_id = $tenantId::int and g.draft_id in (
        select d.draft_id from import_drafts d
         where d.tenant_id = $tenantId::int and d.draft_id = any ($ids::uuid[]) and ${IS_OLD}
           for update skip locked)
     returning g.draft_id
   ), operations as (
     delete from import_draft_operations o using gone where o.tenant_id = $tenantId::int
   )
   select count(*)::int as taken from gone`,
)
