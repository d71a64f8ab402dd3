import { z } from 'zod'
import { ConfirmErrorCode, ConfirmStatus, NotStagedStatus } from './confirm-statuses.ts'
import { ErrorAnswer, Limit, Timestamp } from './schemas.ts'
import { Risk } from './tools.ts'

export const ACTION_STATES = [
  'pending',
  'executing',
  'executed',
  'failed',
  'rejected',
  'expired',
  'indeterminate',
  'precondition_failed',
] as const
export type ActionState = (typeof ACTION_STATES)[number]
/** What a list may ask for: an action executes for seconds, and nobody lists those. */
const ListedState = z.enum(ACTION_STATES).exclude(['executing'])

export const Verification = z
  .object({
    status: z.enum(['verified', 'unverified']),
    reason: z.string(),
    checkedAt: Timestamp,
    handoff: z.object({ trigger: z.literal('unverified_outcome'), sessionId: z.string().nullable() }).optional(),
  })
  .meta({ id: 'Verification' })

export const Action = z
  .object({
    actionId: z.uuid(),
    tool: z.string(),
    commandType: z.string(),
    title: z.string(),
    summary: z.string(),
    rationale: z.string().nullable(),
    arguments: z.record(z.string(), z.unknown()),
    payloadHash: z
      .string()
      .meta({ description: 'SHA-256 of what would run. Send it with the confirm, so that nothing else can run.' }),
    risk: Risk,
    status: z.enum(ACTION_STATES),
    scopeId: z.int().nullable(),
    subject: z.string().nullable(),
    sessionId: z.string().nullable(),
    requestedByUserId: z.int(),
    replaces: z.uuid().nullable().meta({ description: 'The action that this one was amended from.' }),
    replacedBy: z.uuid().nullable().meta({ description: 'The action that this one was amended to.' }),
    errorCode: ConfirmErrorCode.nullable().meta({
      description: 'How its last execution ended, where it did not succeed.',
    }),
    errorMessage: z.string().nullable(),
    createdAt: Timestamp,
    expiresAt: Timestamp,
    verification: Verification.nullable(),
  })
  .meta({ id: 'Action' })
/** A person as an action and the trail name them. */
const Approver = z
  .object({ id: z.int(), userId: z.int().nullable(), displayName: z.string(), email: z.string().nullable() })
  .nullable()
  .meta({ description: 'Null where nobody, or nobody who is registered now, gave it.' })
/** Why a confirm of a waiting write is refused. */
export const ActionChange = z
  .object({
    what: z.enum(['destination', 'hash_version', 'request']).meta({
      description:
        '`destination`: it would go to another address than the one it was staged for. `hash_version`: an earlier version of the service staged it, whose hash did not cover the address. `request`: its tool would send another request.',
    }),
    from: z.string().nullable().meta({ description: 'The address that it was staged for, without secrets.' }),
    to: z.string().nullable().meta({ description: 'The address that it would go to now, without secrets.' }),
  })
  .meta({ id: 'ActionChange' })
export const ActionDetail = Action.extend({
  approvals: z.array(z.object({ user: Approver, at: Timestamp })),
  approversRequired: z.int(),
  mayDecide: z
    .boolean()
    .nullable()
    .meta({ description: 'Whether a confirm of whoever asks would count now. Null where nobody is named.' }),
  destination: z.string().nullable().meta({
    description: 'The address that a confirm would send it to, without secrets. Null where nothing could be sent.',
  }),
  changed: ActionChange.nullable().meta({
    description: 'What has changed since it was staged, so that nobody can approve it. Amend it, or stage it again.',
  }),
  requestPreview: z
    .union([
      z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) }),
      z.object({
        method: z.string(),
        url: z.string(),
        headers: z.array(z.string()),
        body: z.unknown(),
      }),
    ])
    .nullable()
    .meta({ description: 'What a confirm would send, without secrets.' }),
}).meta({ id: 'ActionDetail' })
export const ActionList = z
  .object({ actions: z.array(Action), count: z.int(), nextBefore: z.uuid().nullable() })
  .meta({ id: 'ActionList' })
export const ActionListQuery = z.object({
  limit: Limit(200, 50),
  before: z
    .uuid()
    .optional()
    .meta({ description: 'Only actions after this one in the list: the `nextBefore` of a page.' }),
  scope: z.int().optional().meta({ description: 'Only actions staged under this scope id.' }),
  tool: z.string().optional(),
  status: ListedState.optional().meta({ description: '`pending`, unless set.' }),
})

export const StageRequest = z
  .object({
    tool: z.string().min(1),
    arguments: z.looseObject({}).optional(),
    rationale: z.string().max(2000).optional(),
    approverUserId: z
      .int()
      .positive()
      .optional()
      .meta({ description: 'The token then speaks for this person and for no one else.' }),
  })
  .meta({ id: 'StageRequest' })

export const StageAnswer = z
  .object({
    status: z.literal('preview'),
    toolName: z.string(),
    actionId: z.uuid(),
    confirmationToken: z.string().meta({ description: '`tac_…`. Shown once.' }),
    expiresAt: Timestamp,
    summary: z.string(),
    resultJson: z.string().meta({ description: 'The same as JSON text, kept for older clients.' }),
  })
  .meta({ id: 'StageAnswer' })

/** Why a write was not staged, beside the members that a staged one has. */
export const NotStaged = z
  .object({
    status: NotStagedStatus,
    toolName: z.string(),
    actionId: z.null(),
    message: z.string(),
    resultJson: z.string(),
    error: z
      .object({ code: z.enum(['unknown_tool', 'invalid_request']), message: z.string() })
      .optional()
      .meta({ description: 'With 400 and 404, where the request itself was wrong.' }),
  })
  .meta({ id: 'NotStaged' })

export const ConfirmRequest = z
  .object({
    acknowledgeHighRisk: z.boolean().optional(),
    idempotencyKey: z.string().min(1).max(255).optional(),
    payloadHash: z
      .string()
      .max(64)
      .optional()
      .meta({ description: 'The hash of what the approver saw; any other is refused.' }),
  })
  .meta({ id: 'ConfirmRequest' })

export const ConfirmAnswer = z
  .object({
    status: ConfirmStatus,
    actionId: z.string(),
    commandType: z.string().nullable(),
    appliedChanges: z.unknown().meta({ description: 'What the endpoint answered, unchanged.' }),
    errorCode: ConfirmErrorCode.nullable(),
    errorMessage: z.string().nullable(),
    verification: Verification.nullable(),
    approversRequired: z.int().optional(),
    approversReceived: z.int().optional(),
  })
  .meta({ id: 'ConfirmAnswer' })

/** An amend of an action that is not pending. */
export const NotAmended = ConfirmAnswer.extend({
  replacedBy: z.uuid().optional().meta({ description: 'The action that this one was amended to before.' }),
}).meta({ id: 'NotAmended' })

export const ReconcileRequest = z
  .object({
    performed: z.boolean().optional().meta({
      description:
        'What a person found out about a write that must not be sent again (`idempotency: "none"`): whether it was performed.',
    }),
    note: z.string().max(1000).optional().meta({ description: 'How they know. It is kept in the audit trail.' }),
    sendToNewEndpoint: z.boolean().optional().meta({
      description:
        'Send it although the endpoint, the imported API or the MCP server has moved since: only where the new one knows the idempotency keys of the old one, or is sure that it was not performed there.',
    }),
  })
  .meta({ id: 'ReconcileRequest' })

const tellVisitor = z.boolean().optional().meta({
  description:
    'Also tells the reason to the visitor whose conversation proposed the write. Otherwise it is for your staff alone.',
})

export const RejectRequest = z
  .object({
    reason: z.string().max(1000).optional(),
    tellVisitor,
  })
  .meta({ id: 'RejectRequest' })

export const AmendRequest = z
  .object({
    arguments: z.looseObject({}),
    reason: z.string().max(1000).optional().meta({ description: 'Why; it stands in the trail as `amended: …`.' }),
  })
  .meta({ id: 'AmendRequest' })
export const AmendAnswer = StageAnswer.extend({
  confirmationToken: z
    .string()
    .nullable()
    .meta({ description: '`tac_…`, shown once. Null for a signed-in person, who needs none.' }),
  replaces: z.uuid(),
}).meta({ id: 'AmendAnswer' })

export const MOST_DECISIONS = 50
export const DecideRequest = z
  .object({
    decisions: z
      .array(
        z.object({
          actionId: z.string(),
          decision: z.enum(['confirm', 'reject']),
          reason: z.string().max(1000).optional(),
          tellVisitor,
          acknowledgeHighRisk: z.boolean().optional(),
          payloadHash: z.string().max(64).optional(),
        }),
      )
      .min(1)
      .max(MOST_DECISIONS),
  })
  .meta({ id: 'DecideRequest' })
export const DecideAnswer = z
  .object({ results: z.array(z.union([ConfirmAnswer, ErrorAnswer])) })
  .meta({ id: 'DecideAnswer', description: 'One for each decision, in their order, as its own route would answer.' })
