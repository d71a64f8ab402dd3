import { z } from 'zod'

// The closed table of what a confirm, a reject or a reconcile can answer: HTTP status, body status, error code. The words
// say what happened and what the caller does next; the reference page of errors is made from them.

type Meaning = { readonly happened: string; readonly next: string }
type Row = { readonly http: number; readonly codes: Readonly<Record<string, Meaning>> }

const LOOK = '`GET /v1/actions?status=…` shows what became of it.'

/** A status that carries no error code has the one row `none`. */
export const CONFIRM_STATUSES = {
  Executed: {
    http: 200,
    codes: {
      none: {
        happened: 'The write was performed once. `appliedChanges` is what the endpoint answered.',
        next: 'Nothing. Where the tool declares a verify, `verification` says whether the effect was seen; an unverified write goes to a person and never runs again.',
      },
    },
  },
  Replayed: {
    http: 200,
    codes: {
      none: {
        happened: 'A confirm with this `idempotencyKey` ran the action before. This is its stored result; nothing ran.',
        next: 'Nothing.',
      },
    },
  },
  Rejected: {
    http: 200,
    codes: {
      action_rejected: {
        happened: 'A person declined the action, now or earlier. It will never run.',
        next: 'Stage a new one if the write is wanted after all.',
      },
    },
  },
  AwaitingApprovers: {
    http: 202,
    codes: {
      awaiting_approvers: {
        happened:
          'This approval is recorded, and the policy asks for more: `approversReceived` of `approversRequired` so far. Nothing ran.',
        next: 'Have another person confirm. The same person counts once.',
      },
    },
  },
  NotFound: {
    http: 404,
    codes: {
      PENDING_ACTION_NOT_FOUND: {
        happened:
          'No action with this id can be decided: it is unknown, another workspace’s, or already executed, failed or indeterminate.',
        next: `Do not retry. ${LOOK}`,
      },
    },
  },
  Expired: {
    http: 410,
    codes: {
      action_expired: {
        happened: 'The time to decide passed before anyone confirmed. The write was not run.',
        next: 'Stage it again if it is still wanted.',
      },
    },
  },
  ApproverUnknown: {
    http: 403,
    codes: {
      approver_unknown: {
        happened: 'The request names no approver, or one who is not registered and active. Nothing ran.',
        next: 'Send the person’s id as `X-Service-User-Id`; register people with `PUT /v1/users`.',
      },
    },
  },
  ApprovalForbidden: {
    http: 403,
    codes: {
      approver_forbidden: {
        happened: 'The approval policy does not let this person decide this write. Nothing ran.',
        next: 'Have somebody confirm whose role the policy names.',
      },
    },
  },
  Prohibited: {
    http: 451,
    codes: {
      action_prohibited: {
        happened: 'The child-safety policy refuses this write, whoever confirms it. Nothing ran.',
        next: 'Do not retry. Reject the action.',
      },
    },
  },
  Indeterminate: {
    http: 409,
    codes: {
      EXECUTION_INDETERMINATE: {
        happened: 'The write was sent and no usable answer came back. It may have been performed.',
        next: '`POST /v1/actions/{actionId}/reconcile` sends it again under the same idempotency key, so that the endpoint can say what it did. Where the tool declares `idempotency: "none"` it sends nothing: find out, and say `performed: true` or `false`. Do not stage it again before that.',
      },
    },
  },
  PreconditionFailed: {
    http: 409,
    codes: {
      precondition_failed: {
        happened: 'The precondition no longer holds. The write was not run and never will be.',
        next: 'Look at the record, and stage a new write if one is still wanted.',
      },
    },
  },
  PreconditionError: {
    http: 503,
    codes: {
      precondition_error: {
        happened: 'The precondition’s read failed or timed out, so nothing ran. The action is still pending.',
        next: 'Confirm again once the read answers.',
      },
    },
  },
  ProviderRefused: {
    http: 409,
    codes: {
      provider_refused: {
        happened: 'The imported API refused the write and did not apply it. `errorMessage` carries its reason.',
        next: 'Correct what the reason names, and stage the write again.',
      },
    },
  },
  GuardForbidden: {
    http: 400,
    codes: {
      FORBIDDEN: {
        happened:
          'What would run is not what was staged, would go to another address, or is no longer for whom it was staged. Nothing ran.',
        next: 'Do not retry. Amend the write, or stage it again.',
      },
    },
  },
  GuardRejected: {
    http: 400,
    codes: {
      AI_ACTION_REQUIRES_CONFIRMATION: {
        happened: 'The write’s risk or value has to be acknowledged. No approval was recorded and nothing ran.',
        next: 'Show the approver the risk, then confirm with `acknowledgeHighRisk: true`.',
      },
    },
  },
  Conflict: {
    http: 400,
    codes: {
      ACTION_ALREADY_IN_PROGRESS: {
        happened: 'Another confirm or reconcile got there first and is executing the action. This one sent nothing.',
        next: `Do not retry. ${LOOK}`,
      },
      ACTION_NOT_INDETERMINATE: {
        happened: 'Only a reconcile says this: the action’s outcome is known. Nothing was called.',
        next: `Do not retry. ${LOOK}`,
      },
      IDEMPOTENCY_KEY_REUSED: {
        happened: 'This `idempotencyKey` has already confirmed another action. Nothing ran.',
        next: 'Use a new key for each action.',
      },
      CONFLICT: {
        happened:
          'The `payloadHash` is not the hash of what would run; or the catalog, the endpoint, the approval policy, a person whom it may name or the asking key changed meanwhile; or, for a reconcile, the endpoint, the imported API or the MCP server has moved since the write was sent. Nothing ran.',
        next: 'Read the action again, decide on what it says now, and confirm that. For a reconcile: put the old endpoint back, or send `sendToNewEndpoint: true`.',
      },
    },
  },
  HandlerMissing: {
    http: 400,
    codes: {
      HANDLER_NOT_REGISTERED: {
        happened: 'The catalog no longer has this write, or the write now takes other arguments. Nothing ran.',
        next: 'Register the tool again, or stage the write with the arguments that it takes now.',
      },
    },
  },
  FailedRetryable: {
    http: 400,
    codes: {
      EXECUTION_FAILED_RETRYABLE: {
        happened:
          'The write was certainly not applied: no endpoint is configured, it could not be reached, or it answered 408 or 429. The action is pending again.',
        next: 'Confirm again, after a pause. There are three attempts in all. Stage a write again that was staged while no endpoint was set.',
      },
    },
  },
  FailedTerminal: {
    http: 400,
    codes: {
      EXECUTION_ATTEMPTS_EXHAUSTED: {
        happened: 'The third attempt was not applied either.',
        next: 'Mend what `errorMessage` names, then stage the write again.',
      },
      EXECUTION_FAILED: {
        happened: 'The endpoint refused the write with a 4xx that has no code of its own.',
        next: 'Do not retry. `errorMessage` carries the status.',
      },
      VALIDATION_ERROR: {
        happened: 'The endpoint refused the arguments (400 or 422).',
        next: 'Correct the arguments, and stage the write again.',
      },
      RESOURCE_NOT_FOUND: {
        happened: 'The endpoint has nothing that the arguments name (404).',
        next: 'Correct the arguments, and stage the write again.',
      },
      FORBIDDEN: {
        happened: 'The endpoint does not allow the write (401 or 403).',
        next: 'Check how the endpoint verifies our signature and what it permits, then stage the write again.',
      },
      CONFLICT: {
        happened: 'The write conflicts with what the endpoint holds (409).',
        next: 'Look at the record, and stage a new write if one is still wanted.',
      },
      user_token_required: {
        happened:
          'The imported API needs the signed-in person’s own token and the confirm carried none. It was not called, and the action is over.',
        next: 'Stage the write again, and confirm it with the person’s token as `X-Service-Upstream-Token`.',
      },
    },
  },
} as const satisfies Record<string, Row>

export type ConfirmStatus = keyof typeof CONFIRM_STATUSES
type CodesOf<Status extends ConfirmStatus> = keyof (typeof CONFIRM_STATUSES)[Status]['codes']
/** The codes that one status may carry; null where it carries none. */
export type CodeUnder<Status extends ConfirmStatus> =
  CodesOf<Status> extends 'none' ? null : Exclude<CodesOf<Status>, 'none'>
export type ConfirmErrorCode = { [Status in ConfirmStatus]: NonNullable<CodeUnder<Status>> }[ConfirmStatus]

// Both are read off the table that their types come from.
export const ConfirmStatus = z
  .enum(Object.keys(CONFIRM_STATUSES) as [ConfirmStatus, ...ConfirmStatus[]])
  .meta({ id: 'ConfirmStatus' })
const rows: readonly Row[] = Object.values(CONFIRM_STATUSES)
const codes = new Set(rows.flatMap((row) => Object.keys(row.codes)).filter((code) => code !== 'none'))
export const ConfirmErrorCode = z
  .enum([...codes] as [ConfirmErrorCode, ...ConfirmErrorCode[]])
  .meta({ id: 'ConfirmErrorCode' })

/** Why a proposal was not staged, by the `status` of the answer. */
export const NOT_STAGED = {
  unknown_tool: {
    http: 404,
    happened: 'The catalog has no tool of this name. Nothing was staged.',
    next: '`GET /v1/tools` lists the tools.',
  },
  invalid_request: {
    http: 400,
    happened: 'The tool is a read, or the arguments do not fit it. Nothing was staged.',
    next: 'Call a read with `POST /v1/tools/{name}/call`; correct the arguments that the message names.',
  },
  customer_required: {
    http: 403,
    happened: 'The tool acts for a signed-in customer and the request carried none. Nothing was staged.',
    next: 'Send the customer’s token as `X-Service-Customer-Token`.',
  },
  precondition_failed: {
    http: 409,
    happened: 'The precondition does not hold. Nothing was staged; `resultJson` has the reason and what was read.',
    next: 'Do not retry before the record has changed.',
  },
  precondition_error: {
    http: 502,
    happened: 'The precondition’s read could not be made. Nothing was staged.',
    next: 'Stage again once the read answers.',
  },
} as const satisfies Record<string, Meaning & { readonly http: number }>

export type NotStagedStatus = keyof typeof NOT_STAGED
export const NotStagedStatus = z.enum(Object.keys(NOT_STAGED) as [NotStagedStatus, ...NotStagedStatus[]])
