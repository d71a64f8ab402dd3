import { z } from 'zod'
import { PolicyWarnings } from './policy-warnings.ts'
import { Limit, Timestamp } from './schemas.ts'
import { Risk } from './tools.ts'

const PersonId = z.int().positive().meta({
  description: 'The person’s id in this service. Never reused.',
})
const UserId = z.int().positive().meta({
  description: 'The person’s id in the tenant’s own system, as sent in `X-Service-User-Id`.',
})

export const User = z
  .object({
    id: PersonId,
    userId: UserId.nullable(),
    displayName: z.string(),
    email: z.string().nullable(),
    role: z.string(),
    active: z.boolean(),
    createdAt: Timestamp,
  })
  .meta({ id: 'User' })
export const UserList = z.object({ users: z.array(User), count: z.int() }).meta({ id: 'UserList' })

export const UserEntry = z
  .object({
    id: PersonId.nullable().optional(),
    userId: UserId.nullable().optional(),
    displayName: z.string().optional().meta({ description: 'Required for a new person.' }),
    email: z.string().nullable().optional().meta({ description: 'Null removes the address.' }),
    role: z.string().optional().meta({ description: '`member` for a new person, unless set.' }),
    active: z.boolean().optional().meta({ description: 'Somebody inactive approves nothing.' }),
  })
  .meta({
    id: 'UserEntry',
    description:
      'Matched by `id`, else `userId`, else (a person without a `userId`) `email`. A member that is left out keeps its value.',
  })
export const UsersRequest = z
  .union([z.array(UserEntry), z.object({ users: z.array(UserEntry) })])
  .meta({ id: 'UsersRequest' })
export const UsersRegistered = z
  .object({
    registered: z.literal(true),
    userCount: z.int().meta({ description: 'How many people are registered now.' }),
    warnings: PolicyWarnings,
  })
  .meta({ id: 'UsersRegistered' })
export const UsersRefused = z
  .object({ registered: z.literal(false), error: z.string() })
  .meta({ id: 'UsersRefused', description: 'Nothing was changed.' })

export const PolicyRule = z
  .object({
    tools: z.array(z.string()).optional().meta({ description: 'Any tool, unless set.' }),
    domains: z.array(z.string()).optional().meta({ description: 'Any domain, unless set.' }),
    risk: z.array(Risk).optional().meta({ description: 'Any risk, unless set.' }),
    minValue: z.number().min(0).optional().meta({
      description:
        'Matches writes worth this much or more (`value_from`; the sign does not count), and those whose value cannot be read. A tool without `value_from` matches only where `tools` names it.',
    }),
    roles: z.array(z.string()).meta({ description: 'The roles that may approve what this rule decides.' }),
    approvers: z.int().min(1).max(5).optional().meta({
      description: 'How many different people must approve: 1, unless set.',
    }),
  })
  .meta({ id: 'PolicyRule' })

const switches = {
  requesterMayApprove: z.boolean(),
  customerSelfConfirm: z.boolean(),
  remindAtHalf: z.boolean().meta({
    description: 'Whether approvers are reminded when half of an action’s window has passed.',
  }),
}

export const PolicyRequest = z
  .object({
    rules: z.array(PolicyRule).meta({ description: 'The first rule that matches a write decides.' }),
    requesterMayApprove: switches.requesterMayApprove.optional().meta({ description: 'True, unless set.' }),
    customerSelfConfirm: switches.customerSelfConfirm.optional().meta({ description: 'False, unless set.' }),
    remindAtHalf: switches.remindAtHalf.optional().meta({ description: 'False, unless set.' }),
  })
  .meta({ id: 'PolicyRequest' })

const policy = {
  version: z.int().meta({ description: 'Counts every change; 0 before the first policy.' }),
  inForce: z.boolean().meta({ description: 'False before the first policy and after a deletion.' }),
  rules: z.array(PolicyRule),
  ...switches,
  changedAt: Timestamp.nullable(),
  notice: z.string().nullable().meta({ description: 'What it means that no policy is in force. Null under a policy.' }),
}
export const Policy = z.object(policy).meta({ id: 'Policy' })
export const PolicyRegistered = z
  .object({
    registered: z.literal(true),
    mode: z.literal('shadow').optional().meta({ description: 'Only where the policy is tried, and not in force.' }),
    ...policy,
    warnings: PolicyWarnings,
  })
  .meta({ id: 'PolicyRegistered' })
export const PolicyRefused = z
  .object({ registered: z.literal(false), error: z.string() })
  .meta({ id: 'PolicyRefused', description: 'Nothing was changed.' })
export const PolicyDeleted = z
  .object({
    deleted: z.boolean().meta({ description: 'False when no policy was in force.' }),
    version: z.int(),
  })
  .meta({ id: 'PolicyDeleted' })

export const SHADOW_PAGE = { most: 500, preset: 100 } as const
export const ShadowQuery = z.object({
  before: z.int().positive().optional().meta({ description: 'Differences with a smaller `number` than this.' }),
  limit: Limit(SHADOW_PAGE.most, SHADOW_PAGE.preset),
})

const Verdict = z
  .object({
    status: z.enum(['Allowed', 'AwaitingApprovers', 'ApproverUnknown', 'ApprovalForbidden']),
    required: z.int().nullable().meta({ description: 'How many different people must approve; null for a no.' }),
    received: z.int().nullable().meta({ description: 'How many have, with this one; null for a no.' }),
    message: z.string().nullable().meta({ description: 'Why this person may not decide it.' }),
  })
  .meta({ id: 'PolicyVerdict' })

export const PolicyInShadow = z
  .object({
    policy: Policy.nullable().meta({
      description: 'The policy that is tried; `inForce` is false. Null while none is.',
    }),
    decisions: z.int().meta({ description: 'How many decisions were judged by it.' }),
    differing: z.int().meta({ description: 'How many of them it would have decided otherwise.' }),
    differences: z.array(
      z.object({
        number: z.int().positive(),
        at: Timestamp,
        actionId: z.string().meta({ format: 'uuid' }),
        tool: z.string(),
        decision: z.enum(['confirm', 'reject', 'amend']),
        userId: z
          .int()
          .meta({ description: '0 for nobody, a customer, or somebody without a userId; `user` says who.' }),
        user: z
          .object({ id: z.int(), userId: z.int().nullable(), displayName: z.string(), email: z.string().nullable() })
          .nullable()
          .meta({ description: 'The person as registered now; null where nobody is registered with that id.' }),
        policyVersion: z.int().meta({ description: 'Of the policy in force at that moment; 0 before the first.' }),
        live: Verdict.meta({ description: 'What the policy in force said, which is what counted.' }),
        shadow: Verdict.meta({ description: 'What the policy in shadow would have said.' }),
      }),
    ),
    count: z.int(),
    nextBefore: z.int().nullable().meta({ description: 'What to send as `before` for older ones, or null.' }),
  })
  .meta({ id: 'PolicyInShadow' })
