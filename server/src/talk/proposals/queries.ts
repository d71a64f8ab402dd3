import type { ActionState } from '@tether/contract'
import { statement } from '../../kernel/db/index.ts'

/** False as soon as the conversation is erased. */
export const conversationLives = statement<{ lives: boolean }, { tenantId: number; sessionId: string }>(
  'proposals.conversation_lives',
  `select exists (
     select 1 from sessions s where s.tenant_id = $tenantId::int and s.session_id = $sessionId::text) as lives`,
)

export type ProposalRow = {
  readonly actionId: string
  readonly title: string
  readonly summary: string
  readonly state: ActionState
  /** Why it was declined, or why it failed. */
  readonly reason: string | null
  readonly tellVisitor: boolean
  /** In microseconds: a Date would make two moments of a millisecond one. Null until it is settled, and while its outcome is not known. */
  readonly settledAt: number | null
  /** True if it is settled, and no answer has told of it. */
  readonly isNews: boolean
  /** True if somebody at the business changed it: another proposal has taken its place. */
  readonly isReplaced: boolean
}

export const listProposals = statement<
  ProposalRow,
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
