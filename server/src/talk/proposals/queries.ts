import type { ActionState } from '@tether/contract'
import { statement } from '../../kernel/db/index.ts'

/** False as soon as the conversation is erased. */
export const conversationLives = statement<{ lives: boolean }, { tenantId: number; sessionId: string }>(
  'proposals.conversation_lives',
  `select exists (
     select 1 from sessions s where s.tenant_id = $tenantId::int and s.session_id = $sessionId::text) as lives`,
)

export const listProposals = statement<
  {
    actionId: string
    title: string
    summary: string
    state: ActionState
    reason: string | null
    tellVisitor: boolean
    /** In microseconds: a Date would make two moments of a millisecond one. */
    settledAt: number | null
    isNews: boolean
    isReplaced: boolean
  },
  { tenantId: number; sessionId: string; since: string; told: readonly string[] | null; limit: number }
>(
  'proposals.list',
  `select a.action_id as "actionId", a.title, a.summary, a.state, a.error_message as reason,
          a.tell_visitor as "tellVisitor", (extract(epoch from a.settled_at) * 1000000)::float8 as "settledAt",
          a.settled_at is not null and case
            when $told::uuid[] is null then a.settled_at > $since::timestamptz
            else a.action_id <> all ($told::uuid[])
          end as "isNews",
          a.replaced_by is not null as "isReplaced"
     from actions a
    where a.tenant_id = $tenantId::int and a.session_id = $sessionId::text
    order by a.created_at desc
    limit $limit::int`,
)
