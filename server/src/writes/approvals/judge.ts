// Who may approve what. Pure, so that the whole matrix stands in a test; SPEC.md has it in words.

import { listed, shown } from '../../kernel/json/index.ts'
import { type Actor, type Decider, numberOf } from '../../tenancy/context/index.ts'
import { type Policy, type PolicyRule, rulesFor, type Write } from './policy.ts'

export type RegisteredPerson = {
  readonly id: number
  readonly userId: number | null
  readonly role: string
  readonly active: boolean
}

/** As much of the registered people as a judgement needs. */
export type People = {
  /** Whether anybody at all is registered, active or not. */
  readonly any: boolean
  /** The approver and everyone who approved before, where they are registered. */
  readonly byId: ReadonlyMap<number, RegisteredPerson>
}

export type JudgedAction = Write & {
  /**
   * Who asked for it and for the actions that it replaces: minus the id of each registered person, and each userId that was only
   * stated, or recorded before ids were. That one bars the person who has it now: in doubt, another person has to approve.
   */
  readonly requesters: readonly number[]
  readonly payloadHash: string
  /** The verified customer whom it is about. */
  readonly subject?: string | null
}
/** `personId` is 0 where no registered person gave it, and then it does not count. */
export type GivenApproval = { readonly personId: number; readonly payloadHash: string }

/** A caller, as the registered person whom `personId` names; 0 for no one. */
export type Approver = Pick<Actor, 'by' | 'userId'> & { readonly personId: number }

export type WhyBarred =
  | 'customer'
  | 'names_nobody'
  | 'nobody_registered'
  | 'unregistered'
  | 'inactive'
  | 'role'
  | 'requester'

/** This person may not decide this action. */
export type Barred = {
  readonly ok: false
  /** The message in one word, for whoever says it in another language. */
  readonly why: WhyBarred
  readonly status: 'ApproverUnknown' | 'ApprovalForbidden'
  readonly message: string
}
/** By the person who approves; both ids are 0 for no one in particular. `received` counts this approval too. */
export type Approves = Decider & {
  readonly ok: true
  /** Under a policy the approvals are counted; without one a confirm is enough. */
  readonly underPolicy: boolean
  readonly required: number
  readonly received: number
}

type ToJudge = {
  readonly policy: Policy | null
  readonly users: People
  readonly approver: Approver
  readonly action: JudgedAction
  readonly alreadyApproved: readonly GivenApproval[]
}

export function judgeApprover({ policy, users, approver, action, alreadyApproved }: ToJudge): Approves | Barred {
  if (approver.by === 'customer') return judgeCustomer(policy, action)
  const userId = approver.userId ?? 0
  const { personId } = approver
  if (policy === null) {
    if (userId === 0 && (approver.by === 'key' || approver.by === 'owner')) return unknown('names_nobody', NAMES_NOBODY)
    return { ok: true, userId, personId, underPolicy: false, required: 1, received: 1 }
  }
  const stranger = barStranger(users, approver)
  if (stranger !== undefined) return stranger
  const under = circumstances(policy, action)
  const bars = under.map((one) => barPerson(users.byId.get(personId), one))
  const [barred] = bars
  if (barred !== undefined && !bars.includes(undefined)) return barred
  const given = alreadyApproved.filter(({ payloadHash }) => payloadHash === action.payloadHash)
  const people = new Set([...given.map((one) => one.personId), personId])
  const tallies = under.map((one) => ({
    required: one.rule?.approvers ?? 1,
    received: [...people].filter((id) => barPerson(users.byId.get(id), one) === undefined).length,
  }))
  // What is asked for is told of the rule that is furthest from being met.
  const [furthest = { required: 1, received: 0 }] = tallies.sort((a, b) => missing(b) - missing(a))
  return { ok: true, userId, personId, underPolicy: true, ...furthest }
}

const missing = ({ required, received }: Pick<Approves, 'required' | 'received'>): number => required - received

/** What the policy asks for, whoever approves, and how much of it is there. */
export type Tally = {
  readonly required: number
  readonly received: number
  /** The ids of the people whose yes counts now. */
  readonly givenBy: readonly number[]
  /** The roles of the rule that is furthest from being met; null where any active person will do. */
  readonly roles: readonly string[] | null
}

export function tallyOf({ policy, users, action, alreadyApproved }: Omit<ToJudge, 'approver'>): Tally {
  if (policy === null) return { required: 1, received: 0, givenBy: [], roles: null }
  const given = alreadyApproved.filter(({ payloadHash }) => payloadHash === action.payloadHash)
  const people = [...new Set(given.map(({ personId }) => personId))]
  const [furthest] = circumstances(policy, action)
    .map((one) => {
      const givenBy = people.filter((id) => barPerson(users.byId.get(id), one) === undefined)
      const { approvers: required = 1, roles = null } = one.rule ?? {}
      return { required, received: givenBy.length, givenBy, roles }
    })
    .sort((a, b) => missing(b) - missing(a))
  return furthest ?? { required: 1, received: 0, givenBy: [], roles: null }
}

/** The rules that a write must meet, or none: then one active person is enough. */
function circumstances(policy: Policy, action: JudgedAction): readonly Circumstances[] {
  const rules: readonly (PolicyRule | undefined)[] = rulesFor(policy, action)
  return (rules.length === 0 ? [undefined] : rules).map((rule) => ({ policy, rule, requesters: action.requesters }))
}

/** A customer may confirm a write of their own that costs little, unless a rule of the policy gives it to somebody at the business. */
export const mayCustomerConfirm = (policy: Policy | null, action: Write): boolean =>
  policy?.customerSelfConfirm === true && action.risk === 'low' && rulesFor(policy, action).length === 0

/** Judged by the policy in force now, whatever it was when the token was given. */
function judgeCustomer(policy: Policy | null, action: JudgedAction): Approves | Barred {
  if ((action.subject ?? null) !== null && mayCustomerConfirm(policy, action)) {
    return { ok: true, userId: 0, personId: 0, underPolicy: false, required: 1, received: 1 }
  }
  return forbidden('customer', 'Customers cannot confirm this write themselves. Somebody at the business must.')
}

/** Anybody who may call may say no; under a policy they must be an active registered person. */
export function judgeRejecter({
  policy,
  users,
  approver,
}: Pick<ToJudge, 'policy' | 'users' | 'approver'>): (Decider & { readonly ok: true }) | Barred {
  if (approver.by === 'customer')
    return forbidden('customer', 'A customer’s token can confirm a write, but not decline it.')
  const stranger = policy === null ? undefined : barStranger(users, approver)
  return stranger ?? { ok: true, userId: approver.userId ?? 0, personId: approver.personId }
}

/** What became of a write that nobody may send again is told by a person, in whose name it stands in the trail. */
export function judgeWitness(
  judging: Pick<ToJudge, 'policy' | 'users' | 'approver'>,
): ReturnType<typeof judgeRejecter> {
  const judged = judgeRejecter(judging)
  return judged.ok && judged.userId === 0 ? unknown('names_nobody', NAMES_NOBODY) : judged
}

/** Under a policy, three kinds of people decide nothing: nobody, somebody unregistered, and somebody no longer active. */
function barStranger(users: People, { by, userId, personId }: Approver): Barred | undefined {
  if (!users.any) {
    return unknown(
      'nobody_registered',
      'An approval policy is in force, but nobody is registered. Register the people with PUT /v1/users.',
    )
  }
  if (userId === null) return unknown('names_nobody', by === 'token' ? UNBOUND : NAMES_NOBODY)
  const person = users.byId.get(personId)
  if (person === undefined && by === 'token') return unknown('unregistered', BOUND_TO_NO_ONE)
  if (person === undefined)
    return unknown('unregistered', `${called(userId)} is not registered. Register them with PUT /v1/users.`)
  if (!person.active)
    return unknown('inactive', `${called(userId)} is registered but not active. Somebody active must decide.`)
  return undefined
}

type Circumstances = {
  readonly policy: Policy
  readonly rule: PolicyRule | undefined
  readonly requesters: readonly number[]
}

/**
 * Asked about the approver and, in the same words, about everyone who approved before: an approval counts for as long as
 * its giver could still give it. The registered role counts, whatever a header says.
 */
function barPerson(
  person: RegisteredPerson | undefined,
  { policy, rule, requesters }: Circumstances,
): Barred | undefined {
  if (person?.active !== true) return unknown('inactive', 'Only an active registered person can approve.')
  const { userId, role } = person
  const number = numberOf(person)
  if (rule !== undefined && !rule.roles.includes(role)) {
    return forbidden(
      'role',
      `${called(number)} has the role ${shown(role)}; this write needs one of: ${listed(rule.roles)}.`,
    )
  }
  if (!policy.requesterMayApprove && requesters.some((one) => one === -person.id || one === userId)) {
    return forbidden(
      'requester',
      `${called(number)} asked for this write, so the policy requires somebody else to approve it.`,
    )
  }
  return undefined
}

const called = (userId: number): string => (userId > 0 ? `User ${userId}` : 'This person')

const NAMES_NOBODY = 'The request names nobody who decides. Send the person’s id as X-Service-User-Id.'
const UNBOUND =
  'Under an approval policy an action token must be bound to its approver. Stage with approverUserId, or confirm with the secret key and X-Service-User-Id.'
const BOUND_TO_NO_ONE =
  'This token is not bound to a registered person: its approver has been removed, or was not registered when it was staged. Stage it again, or confirm with the secret key and X-Service-User-Id.'

const unknown = (why: WhyBarred, message: string): Barred => ({ ok: false, why, status: 'ApproverUnknown', message })
const forbidden = (why: WhyBarred, message: string): Barred => ({
  ok: false,
  why,
  status: 'ApprovalForbidden',
  message,
})
