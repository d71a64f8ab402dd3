import type { ActionState } from '@tether/contract'
import { statement } from '../../foundation/db/index.ts'

export const listProposals = statement<
  {
    actionId: string
    title: string
    summary: string
    state: ActionState
    reason: string | null
    tellVisitor: boolean
    settledAt: Date | null
    isNews: boolean
    isReplaced: boolean
  },
  { tenantId: number; sessionId: string; since: Date; limit: number }
>(
  'proposals.list',
  `select a.action_id as "actionId", a.title, a.summary, a.state, a.error_message as reason,
          a.tell_visitor as "tellVisitor", a.settled_at as "settledAt",
          coalesce(a.settled_at > $since::timestamptz, false) as "isNews",
          a.replaced_by is not null as "isReplaced"
     from actions a
    where a.tenant_id = $tenantId::int and a.session_id = $sessionId::text
    order by a.created_at desc
    limit $limit::int`,
)
