import type { CodeUnder, ConfirmStatus } from '@tether/contract'
import type { Barred } from '../approvals/index.ts'
import type { ActionRow } from './queries.ts'

/** A person's yes to one action. Who decides comes with the context, as `asking.actor`. */
export type ConfirmInput = {
  readonly actionId: string
  readonly acknowledgeHighRisk: boolean
  /** The caller's own key: a confirm that is sent again under it runs nothing. */
  readonly confirmKey: string | null
  /** The hash of what the approver saw. Another one is refused, so that a stale page decides nothing else. */
  readonly payloadHash: string | null
  /** The route or page that the decision came through, as the trail names it. */
  readonly source: string
}

type Under<Status extends ConfirmStatus> = {
  readonly status: Status
  readonly errorCode: CodeUnder<Status>
  /** For the person who decided: what happened, and what to do next. */
  readonly message: string | null
}

/** What a confirm, a reject or a reconcile comes to: a status of the contract's table, with a code that belongs to it. */
export type Conclusion =
  | { [Status in Exclude<ConfirmStatus, 'AwaitingApprovers'>]: Under<Status> }[Exclude<
      ConfirmStatus,
      'AwaitingApprovers'
    >]
  | (Under<'AwaitingApprovers'> & { readonly approvers: { readonly required: number; readonly received: number } })

/** An action as other rooms see it: without what proves a claim, and without what only our own statements read. */
export type Action = Omit<ActionRow, 'claimToken' | 'sentTo' | 'idempotencyKey' | 'attempts' | 'value' | 'late'>

/** A conclusion beside the action as it then stood; null where the caller is not told of any. */
export type Decided = {
  /** The action's own id, or the id as it was sent if no action has it. */
  readonly actionId: string
  readonly conclusion: Conclusion
  readonly action: Action | null
}

export const concluded = <const Status extends Exclude<ConfirmStatus, 'AwaitingApprovers'>>(
  status: Status,
  errorCode: CodeUnder<Status>,
  message: string | null,
): Under<Status> => ({ status, errorCode, message })

export const executed: Conclusion = concluded('Executed', null, null)

export const barred = ({ status, message }: Barred): Conclusion =>
  status === 'ApproverUnknown'
    ? concluded('ApproverUnknown', 'approver_unknown', message)
    : concluded('ApprovalForbidden', 'approver_forbidden', message)
