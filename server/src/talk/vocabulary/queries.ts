import type { SuggestionStatus } from '@tether/contract'
import { statement } from '../../kernel/db/index.ts'
import { SWEEP } from '../../tenancy/jobs/index.ts'

// Whoever changes the vocabulary locks the row of the tenant first and that of a suggestion after it, as the deletion of a
// tenant does.

/** `lexicon` is JSON. */
export type PackRow = { version: number; lexicon: string; updatedAt: Date }

export const findPack = statement<PackRow, { tenantId: number; version: number }>(
  'vocabulary.find_pack',
  `select version, lexicon, created_at as "updatedAt" from domain_packs
    where tenant_id = $tenantId::int and version = $version::int and lexicon is not null`,
)

/** The pack as it stands, and not as it stood when the request came. */
export const latestPack = statement<PackRow, { tenantId: number }>(
  'vocabulary.latest_pack',
  `select version, lexicon, created_at as "updatedAt" from domain_packs
    where tenant_id = $tenantId::int and lexicon is not null
    order by version desc limit 1`,
)

/** How many versions keep their words: enough to look up what a mistaken change replaced. */
const KEPT_VERSIONS = 50

/** Of the row of `numbered`, which counts the version. */
const packMade = (suggestionId: string) => `
   old as (
     update domain_packs p set lexicon = null
       from numbered n
      where p.tenant_id = $tenantId::int and p.version <= n.pack_version - ${KEPT_VERSIONS} and p.lexicon is not null
   ), pack as (
     insert into domain_packs (tenant_id, version, lexicon, hash, suggestion_id)
     select tenant_id, pack_version, $lexicon::text, encode(sha256(convert_to($lexicon::text, 'UTF8')), 'hex'), ${suggestionId}
       from numbered
     returning version, lexicon, created_at
   )`

/** Two changes at once get two versions, one after the other, because the row of the tenant counts them. */
export const insertPack = statement<PackRow, { tenantId: number; lexicon: string }>(
  'vocabulary.insert_pack',
  `with numbered as (
     update tenants set pack_version = pack_version + 1
      where tenant_id = $tenantId::int and deleted_at is null
     returning tenant_id, pack_version
   ), ${packMade('null')}
   select version, lexicon, created_at as "updatedAt" from pack`,
  { guest: { tenants: '`tenants` counts the versions, because every request reads it' } },
)

/** `lexicon` and `source` are JSON. */
export type SuggestionRow = {
  id: string
  status: SuggestionStatus
  lexicon: string
  source: string | null
  note: string | null
  createdAt: Date
  decidedAt: Date | null
}
const suggestionColumns = (of: string) =>
  `${of}.suggestion_id as id, ${of}.status, ${of}.lexicon, ${of}.source, ${of}.note, ${of}.created_at as "createdAt",
   ${of}.decided_at as "decidedAt"`

type NewSuggestion = {
  tenantId: number
  id: string
  lexicon: string
  source: string | null
  note: string | null
  origin: string
  mostPending: number
}

/**
 * What the same origin proposed before, and still waits, is superseded. Two at once of one origin meet in the unique index, so
 * that one of them has to be sent again. No row: there are too many, or no tenant.
 */
export const suggest = statement<SuggestionRow, NewSuggestion>(
  'vocabulary.suggest',
  `with living as (
     select tenant_id from tenants where tenant_id = $tenantId::int and deleted_at is null for key share
   ), waiting as (
     select count(*) as others from domain_suggestions s
      where s.tenant_id = $tenantId::int and s.status = 'pending' and s.origin <> $origin::text
   ), allowed as (
     select l.tenant_id from living l cross join waiting w where w.others < $mostPending::int
   ), superseded as (
     update domain_suggestions s set status = 'superseded', decided_at = now()
       from allowed a
      where s.tenant_id = $tenantId::int and s.status = 'pending' and s.origin = $origin::text
     returning s.suggestion_id
   ), made as (
     -- It counts what it superseded, so that it is written afterwards.
     insert into domain_suggestions (tenant_id, suggestion_id, status, lexicon, source, note, origin)
     select a.tenant_id, $id::text, 'pending', $lexicon::text, $source::text, $note::text, $origin::text
       from allowed a cross join (select count(*) from superseded) counted
     returning *
   )
   select ${suggestionColumns('m')} from made m`,
)

export const findSuggestion = statement<SuggestionRow, { tenantId: number; id: string }>(
  'vocabulary.find_suggestion',
  `select ${suggestionColumns('s')} from domain_suggestions s
    where s.tenant_id = $tenantId::int and s.suggestion_id = $id::text`,
)

/** No row: the suggestion is no longer pending, or the pack has another version than the one that was merged with. */
export const accept = statement<
  SuggestionRow & { version: number; packLexicon: string; updatedAt: Date },
  { tenantId: number; id: string; expected: number; lexicon: string }
>(
  'vocabulary.accept',
  `with living as (
     select tenant_id from tenants
      where tenant_id = $tenantId::int and deleted_at is null and pack_version = $expected::int
        for no key update
   ), due as (
     select s.suggestion_id from domain_suggestions s
      where s.tenant_id = $tenantId::int and s.suggestion_id = $id::text and s.status = 'pending'
        and (select count(*) from living) > 0
        for update
   ), numbered as (
     update tenants t set pack_version = t.pack_version + 1
       from due
      where t.tenant_id = $tenantId::int
     returning t.tenant_id, t.pack_version
   ), ${packMade('$id::text')}, accepted as (
     update domain_suggestions s set status = 'accepted', decided_at = now()
       from due d
      where s.tenant_id = $tenantId::int and s.suggestion_id = d.suggestion_id
     returning s.*
   )
   select ${suggestionColumns('a')}, p.version, p.lexicon as "packLexicon", p.created_at as "updatedAt"
     from accepted a cross join pack p`,
  { guest: { tenants: '`tenants` counts the versions, because every request reads it' } },
)

export const dismiss = statement<SuggestionRow, { tenantId: number; id: string }>(
  'vocabulary.dismiss',
  `with living as (
     select tenant_id from tenants where tenant_id = $tenantId::int and deleted_at is null for key share
   ), dismissed as (
     update domain_suggestions s set status = 'dismissed', decided_at = now()
       from living l
      where s.tenant_id = $tenantId::int and s.suggestion_id = $id::text and s.status = 'pending'
     returning s.*
   )
   select ${suggestionColumns('d')} from dismissed d`,
)

type ListedSuggestion = SuggestionRow & { readonly hasMore: boolean }

/** The newest first, up to `most` suggestions and `mostBytes`, and at least one: a large lexicon has a megabyte. */
export const listSuggestions = statement<
  ListedSuggestion,
  { tenantId: number; status: SuggestionStatus | null; before: string | null; most: number; mostBytes: number }
>(
  'vocabulary.list_suggestions',
  `with place as (
     select c.created_at, c.suggestion_id from domain_suggestions c
      where c.tenant_id = $tenantId::int and c.suggestion_id = $before::text
   ), found as (
     select s.suggestion_id, s.created_at, octet_length(s.lexicon) + 2000 as bytes from domain_suggestions s
      where s.tenant_id = $tenantId::int and ($status::text is null or s.status = $status::text)
        and ($before::text is null
             or (s.created_at, s.suggestion_id) < (select created_at, suggestion_id from place))
      order by s.created_at desc, s.suggestion_id desc
      limit $most::int + 1
   ), placed as (
     select suggestion_id, row_number() over newest as nth, sum(bytes) over newest as bytes_so_far, count(*) over () as many from found
     window newest as (order by created_at desc, suggestion_id desc rows unbounded preceding)
   ), page as (
     select suggestion_id, nth, many from placed where nth <= $most::int and (nth = 1 or bytes_so_far <= $mostBytes::int)
   )
   select ${suggestionColumns('s')}, p.many > (select count(*) from page) as "hasMore"
     from page p join domain_suggestions s on s.tenant_id = $tenantId::int and s.suggestion_id = p.suggestion_id
    order by p.nth`,
)

const IS_OLD = 's.decided_at < now() - make_interval(secs => $days::float8 * 86400)'

export const listOld = statement<
  { tenantId: number; id: string },
  { passedOver: readonly number[]; limit: number; days: number }
>(
  'vocabulary.list_old',
  `select s.tenant_id as "tenantId", s.suggestion_id as id from domain_suggestions s
    where ${IS_OLD} and s.tenant_id <> all ($passedOver::int[])
    order by s.decided_at
    limit $limit::int`,
  { looks: SWEEP },
)

export const forget = statement<{ taken: number }, { tenantId: number; ids: readonly string[]; days: number }>(
  'vocabulary.forget',
  `with gone as (
     delete from domain_suggestions g
      where g.tenant_id = $tenantId::int and g.suggestion_id in (
        select s.suggestion_id from domain_suggestions s
         where s.tenant_id = $tenantId::int and s.suggestion_id = any ($ids::text[]) and ${IS_OLD}
           for update skip locked)
     returning g.suggestion_id
   )
   select count(*)::int as taken from gone`,
)
