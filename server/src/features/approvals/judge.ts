// Who may approve what. Pure, so that the whole matrix stands in a test; SPEC.md has it in words.
import { listed } from '../../foundation/json/index.ts'
import { type Policy, type PolicyRule, ruleFor, type Write } from './policy.ts'

export type RegisteredPerson = { readonly userId: number; readonly role: string; readonly active: boolean }

/** As much of the registered people as a judgement needs. */
export type People = {
  /** Whether anybody at all is registered, active or not. */
  readonly any: boolean
  /** Whoever approves now and whoever approved before, where they are registered. */
  readonly byUserId: ReadonlyMap<number, RegisteredPerson>
}

export type Approver =
  /** The user id that a secret key states; null when it states none. */
  | { readonly by: 'key'; readonly userId: number | null }
  /** The user whom an action token was bound to at staging; and the one that a header named beside it, if it was read. */
  | { readonly by: 'token'; readonly userId: number | null; readonly stated?: number | null }
  /** The customer whom the action is about, by a token that was given to them alone. */
  | { readonly by: 'customer' }

export type JudgedAction = Write & {
  readonly requestedByUserId: number
  readonly payloadHash: string
  /** The verified customer whom it is about. */
  readonly subject?: string | null
}
export type GivenApproval = { readonly userId: number; readonly payloadHash: string }

export type Refused = {
  readonly ok: false
  readonly status: 'ApproverUnknown' | 'ApprovalForbidden'
  readonly message: string
}
/** `userId` is who approves, 0 for nobody in particular. `received` counts this approval too. */
export type Approves = {
  readonly ok: true
  readonly userId: number
  /** Under a policy each approval is recorded; without one a confirm is enough. */
  readonly underPolicy: boolean
  readonly required: number
  readonly received: number
  /** Whose approvals were counted, as they are registered. Nobody without a policy. */
  readonly people: readonly RegisteredPerson[]
}

type ToJudge = {
  readonly policy: Policy | null
  readonly users: People
  readonly approver: Approver
  readonly action: JudgedAction
  readonly alreadyApproved: readonly GivenApproval[]
}

export function judgeApprover({ policy, users, approver, action, alreadyApproved }: ToJudge): Approves | Refused {
  if (approver.by === 'customer') return judgeCustomer(policy, action)
  const named = nameOf(approver)
  if (typeof named !== 'number') return named
  if (policy === null) {
    if (named === 0 && approver.by === 'key') return unknown(sayWho)
    return { ok: true, userId: named, underPolicy: false, required: 1, received: 1, people: [] }
  }
  const stranger = refuseStranger(users, approver, named)
  if (stranger !== undefined) return stranger
  const rule = ruleFor(policy, action)
  const refused = refuseApproval(users.byUserId.get(named), { policy, rule, action })
  if (refused !== undefined) return refused
  const counted = alreadyApproved.filter(
    ({ userId, payloadHash }) =>
      payloadHash === action.payloadHash &&
      refuseApproval(users.byUserId.get(userId), { policy, rule, action }) === undefined,
  )
  const distinct = new Set([...counted.map(({ userId }) => userId), named])
  const people = [...distinct].flatMap((userId) => users.byUserId.get(userId) ?? [])
  return { ok: true, userId: named, underPolicy: true, required: rule?.approvers ?? 1, received: distinct.size, people }
}

/** A customer confirms what is theirs, costs little, and no rule of the policy gives to somebody at the business. */
export const mayCustomerConfirm = (policy: Policy | null, action: Write): boolean =>
  policy?.customerSelfConfirm === true && action.risk === 'low' && ruleFor(policy, action) === undefined

/** Judged by the policy of now, whatever it was when the token was given. */
function judgeCustomer(policy: Policy | null, action: JudgedAction): Approves | Refused {
  if ((action.subject ?? null) !== null && mayCustomerConfirm(policy, action)) {
    return { ok: true, userId: 0, underPolicy: false, required: 1, received: 1, people: [] }
  }
  return forbidden('Customers do not confirm this write themselves. Somebody at the business must.')
}

/** Anybody who may call may say no; under a policy they must be somebody. */
export function judgeRejecter({
  policy,
  users,
  approver,
}: Pick<ToJudge, 'policy' | 'users' | 'approver'>): { readonly ok: true; readonly userId: number } | Refused {
  if (approver.by === 'customer') return forbidden('A customer’s token confirms, and declines nothing.')
  const named = nameOf(approver)
  if (typeof named !== 'number') return named
  const stranger = policy === null ? undefined : refuseStranger(users, approver, named)
  return stranger ?? { ok: true, userId: named }
}

/** Whom the caller speaks for. A token speaks for the user it was bound to and for no one else. */
function nameOf(approver: Exclude<Approver, { by: 'customer' }>): number | Refused {
  const named = approver.userId ?? 0
  if (approver.by === 'key') return named
  const stated = approver.stated ?? null
  if (named === 0 || stated === null || stated === named) return named
  return forbidden(`This action token speaks for user ${named}, and X-Service-User-Id names ${stated}. Leave it out.`)
}

/** Under a policy: nobody, somebody unregistered, or somebody who is not active any more. */
function refuseStranger(
  users: People,
  approver: Exclude<Approver, { by: 'customer' }>,
  named: number,
): Refused | undefined {
  if (!users.any) {
    return unknown('An approval policy is in force and nobody is registered. Register the people: PUT /v1/users.')
  }
  if (named === 0) return unknown(approver.by === 'token' ? bindIt : sayWho)
  const person = users.byUserId.get(named)
  if (person === undefined) return unknown(`User ${named} is not registered. Register them: PUT /v1/users.`)
  if (!person.active) return unknown(`User ${named} is registered and not active. Somebody active must decide.`)
  return undefined
}

type Circumstances = {
  readonly policy: Policy
  readonly rule: PolicyRule | undefined
  readonly action: JudgedAction
}

/**
 * Asked of whoever approves now and, in the same words, of whoever approved before: an approval counts for as long as its
 * giver could still give it. The role is the registered one, whatever a header says.
 */
function refuseApproval(
  person: RegisteredPerson | undefined,
  { policy, rule, action }: Circumstances,
): Refused | undefined {
  if (person?.active !== true) return unknown('Only an active registered person approves.')
  const { userId, role } = person
  if (rule !== undefined && !rule.roles.includes(role)) {
    return forbidden(`User ${userId} has the role "${role}"; this write is approved by ${listed(rule.roles)}.`)
  }
  if (!policy.requesterMayApprove && userId === action.requestedByUserId) {
    return forbidden(`User ${userId} asked for this write, and the policy wants somebody else to approve it.`)
  }
  return undefined
}

const sayWho = 'Say who approves: send the person’s id as X-Service-User-Id.'
const bindIt =
  'Under an approval policy an action token must name its approver. Stage with approverUserId, or confirm with the secret key and X-Service-User-Id.'

const unknown = (message: string): Refused => ({ ok: false, status: 'ApproverUnknown', message })
const forbidden = (message: string): Refused => ({ ok: false, status: 'ApprovalForbidden', message })
