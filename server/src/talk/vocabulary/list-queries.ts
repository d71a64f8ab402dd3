import type { SuggestionStatus } from '@tether/contract'
import { statement } from '../../kernel/db/index.ts'
import { SWEEP } from '../../tenancy/jobs/index.ts'
import { type SuggestionRow, suggestionColumns } from './queries.ts'

export type ListedSuggestion = SuggestionRow & { readonly hasMore: boolean }

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
