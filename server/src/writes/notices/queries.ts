import type { Language } from '@tether/contract'
import { statement } from '../../kernel/db/index.ts'
import { oldRows, SWEEP, type SweepFound, type SweepLook } from '../../tenancy/jobs/index.ts'
import type { Wanted } from './wanted.ts'

/** A tenant that is there, and stays while something is written for it. */
const living = 'select tenant_id from tenants where tenant_id = $tenantId::int and deleted_at is null for key share'

export const listDue = statement<SweepFound, SweepLook>(
  'notices.list_due',
  `select tenant_id as "tenantId", action_id::text as id from notices_due
    where tenant_id <> all ($passedOver::int[])
    order by created_at
    limit $limit::int`,
  { looks: SWEEP },
)

/** In the transaction that tells of them: what is rolled back is due again. */
export const takeDue = statement<
  { actionId: string; occasion: number },
  { tenantId: number; actionIds: readonly string[] }
>(
  'notices.take_due',
  `with living as (
     ${living}
   ), due as (
     select n.action_id, n.occasion from notices_due n
      where n.tenant_id = $tenantId::int and n.action_id = any ($actionIds::uuid[]) and (select count(*) from living) > 0
      for update skip locked
   )
   delete from notices_due d using due
    where d.tenant_id = $tenantId::int and d.action_id = due.action_id and d.occasion = due.occasion
   returning d.action_id::text as "actionId", d.occasion`,
)

type ChoiceRow = { personId: number; wanted: Wanted; language: Language | null }

/**
 * What these people want, and the right to tell them: whoever holds their rows is the only one who counts their mails. In the
 * order of their ids, so that two who hold several do not wait for each other.
 */
export const holdChoices = statement<ChoiceRow, { tenantId: number; personIds: readonly number[] }>(
  'notices.hold_choices',
  `with living as (
     ${living}
   )
   insert into notice_choices as c (tenant_id, person_id)
   select l.tenant_id, p.id from living l cross join unnest($personIds::bigint[]) as p (id)
    order by p.id
   on conflict (tenant_id, person_id) do update set person_id = excluded.person_id
   returning c.person_id as "personId", c.wanted, c.language`,
)

export const findChoice = statement<ChoiceRow, { tenantId: number; personId: number }>(
  'notices.find_choice',
  `select person_id as "personId", wanted, language from notice_choices
    where tenant_id = $tenantId::int and person_id = $personId::bigint`,
)

export const saveChoice = statement<
  unknown,
  { tenantId: number; personId: number; wanted: Wanted; language: Language }
>(
  'notices.save_choice',
  `with living as (
     ${living}
   )
   insert into notice_choices (tenant_id, person_id, wanted, language)
   select tenant_id, $personId::bigint, $wanted::text, $language::text from living
   on conflict (tenant_id, person_id) do update set wanted = excluded.wanted, language = excluded.language`,
)

/** What they want stays as it is. */
export const saveLanguage = statement<unknown, { tenantId: number; personId: number; language: Language }>(
  'notices.save_language',
  `with living as (
     ${living}
   )
   insert into notice_choices (tenant_id, person_id, language)
   select tenant_id, $personId::bigint, $language::text from living
   on conflict (tenant_id, person_id) do update set language = excluded.language`,
)

type Bounds = { windowSeconds: number; mostInWindow: number; mostPerHour: number }

/** SQL: whether this person may be sent another mail now, and so may the workspace. */
const hasRoom = (tenantId: string, personId: string): string =>
  `((select count(distinct m.told_with) from notices m
      where m.tenant_id = ${tenantId} and m.person_id = ${personId}
        and m.told_at > now() - make_interval(secs => $windowSeconds::float8)) < $mostInWindow::int
    and (select count(distinct m.told_with) from notices m
      where m.tenant_id = ${tenantId} and m.told_at > now() - interval '1 hour') < $mostPerHour::int)`

/**
 * Who is told of a write, each once however often it is tried, of those whose choices are held. Whoever has had their mails of the window, or has others waiting
 * for a digest, gets it with that.
 */
export const insertNotices = statement<
  { personId: number; atOnce: boolean },
  Bounds & { tenantId: number; actionId: string; occasion: number; personIds: readonly number[] }
>(
  'notices.insert',
  `with asked as (
     select c.tenant_id, c.person_id, ${hasRoom('$tenantId::int', 'c.person_id')} and not exists (
              select 1 from notices g where g.tenant_id = $tenantId::int and g.person_id = c.person_id and g.told_with is null
            ) as at_once
       from notice_choices c
      where c.tenant_id = $tenantId::int and c.person_id = any ($personIds::bigint[])
        for no key update
   ), told as materialized (
     select tenant_id, person_id, case when at_once then gen_random_uuid() end as told_with,
            case when at_once then now() end as told_at
       from asked
   )
   insert into notices as n (tenant_id, person_id, action_id, occasion, told_with, told_at)
   select tenant_id, person_id, $actionId::uuid, $occasion::int, told_with, told_at from told
   on conflict do nothing
   returning n.person_id as "personId", n.told_with is not null as "atOnce"`,
)

/** The people for whom something is gathered, and who may be sent a mail again. */
export const listGathered = statement<SweepFound, SweepLook & Bounds>(
  'notices.list_gathered',
  `select g.tenant_id as "tenantId", g.person_id::text as id
     from (select distinct n.tenant_id, n.person_id from notices n
            where n.told_with is null and n.tenant_id <> all ($passedOver::int[])) g
    where ${hasRoom('g.tenant_id', 'g.person_id')}
    limit $limit::int`,
  { looks: SWEEP },
)

/** All that was gathered for a person, told with one mail. */
export const takeGathered = statement<
  { actionId: string },
  Bounds & { tenantId: number; personId: number; mailId: string }
>(
  'notices.take_gathered',
  `update notices n set told_with = $mailId::uuid, told_at = now()
    where n.tenant_id = $tenantId::int and n.person_id = $personId::bigint and n.told_with is null
      and ${hasRoom('$tenantId::int', '$personId::bigint')}
   returning n.action_id::text as "actionId"`,
)

const isOld = `created_at < now() - interval '30 days'`

export const oldNotices = oldRows('notices.forget', {
  table: 'notices',
  columns: ['action_id', 'person_id', 'occasion'],
  type: 'uuid',
  due: isOld,
})
