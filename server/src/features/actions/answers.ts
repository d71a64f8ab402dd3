import type { Answer } from '../../foundation/http/index.ts'
import { rawJson } from '../../foundation/json/index.ts'
import type { ActionRow } from './queries.ts'

/** Every answer that a confirm, a reject or a reconcile can give, with its HTTP status. */
export const CONFIRM_STATUSES = {
  Executed: 200,
  Replayed: 200,
  Rejected: 200,
  AwaitingApprovers: 202,
  NotFound: 404,
  Expired: 410,
  ApproverUnknown: 403,
  ApprovalForbidden: 403,
  Prohibited: 451,
  Indeterminate: 409,
  PreconditionFailed: 409,
  PreconditionError: 503,
  ProviderRefused: 409,
  GuardForbidden: 400,
  GuardRejected: 400,
  Conflict: 400,
  HandlerMissing: 400,
  FailedRetryable: 400,
  FailedTerminal: 400,
} as const
export type ConfirmStatus = keyof typeof CONFIRM_STATUSES

export type Said = {
  readonly status: ConfirmStatus
  readonly errorCode?: string | undefined
  readonly errorMessage?: string | undefined
  readonly approvers?: { readonly required: number; readonly received: number }
}

/** The endpoint's answer goes out as the bytes that came in. */
export function confirmAnswer(actionId: string, row: ActionRow | null, said: Said): Answer {
  const applied = said.status === 'Executed' || said.status === 'Replayed' ? appliedText(row) : 'null'
  const body = {
    status: said.status,
    actionId,
    commandType: row?.tool ?? null,
    appliedChanges: rawJson(applied),
    errorCode: said.errorCode ?? null,
    errorMessage: said.errorMessage ?? null,
    verification: row === null ? null : verificationOf(row),
    ...(said.approvers === undefined
      ? {}
      : { approversRequired: said.approvers.required, approversReceived: said.approvers.received }),
  }
  return { status: CONFIRM_STATUSES[said.status], body }
}

function appliedText(row: ActionRow | null): string {
  const bytes = row?.result
  if (bytes === null || bytes === undefined || bytes.length === 0) return 'null'
  // Proved to be JSON in UTF-8 before it was called a success; a byte order mark may not stand inside another text.
  return new TextDecoder('utf-8').decode(bytes)
}

/** Only for an executed write that declares a verify. */
export function verificationOf(row: ActionRow) {
  if (row.verificationStatus === null || row.verifiedAt === null) return null
  const checked = {
    status: row.verificationStatus,
    reason: row.verificationReason ?? '',
    checkedAt: row.verifiedAt.toISOString(),
  }
  if (row.verificationStatus === 'verified') return checked
  return { ...checked, handoff: { trigger: 'unverified_outcome' as const, sessionId: row.sessionId } }
}
