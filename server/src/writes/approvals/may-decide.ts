import type { Queries } from '../../kernel/db/index.ts'
import {
  type Actor,
  DEFAULT_ROLE,
  type Decider,
  numberOf,
  personOfCredential,
  type TenantAsking,
} from '../../tenancy/context/index.ts'
import {
  type Approver,
  type Approves,
  type Barred,
  type GivenApproval,
  type JudgedAction,
  judgeApprover,
  judgeRejecter,
  judgeWitness,
  type People,
  type Tally,
  tallyOf,
} from './judge.ts'
import type { Policy } from './policy.ts'
import { readStored } from './policy-document.ts'
import * as sql from './queries.ts'
import { type Judged, type Tried, verdictOf } from './tried.ts'

type Grounds = {
  readonly policy: Policy | null
  /** 0 before the first policy. A claim that compares it notices a policy that has changed since. */
  readonly policyVersion: number
  readonly users: People
  readonly approver: Approver
  readonly alreadyApproved: readonly GivenApproval[]
  /** A policy that is tried beside it. Had it been in force, what was approved since it is tried would count under it, too. */
  readonly shadow: {
    readonly version: number
    readonly policy: Policy
    readonly alreadyApproved: readonly GivenApproval[]
  } | null
}

type Loading = { readonly db: Queries } & { readonly asking: Pick<TenantAsking, 'tenantId' | 'actor'> }

/**
 * What a judgement of this caller and this action rests on, as of one moment. `judgedAs` is the person whom an earlier judgement of
 * the same request found: the userId that the request states may be another person's by now.
 */
export async function loadGrounds(
  { db, asking }: Loading,
  actionId: string,
  { judgedAs = null, others = [] }: { readonly judgedAs?: number | null; readonly others?: readonly number[] } = {},
): Promise<Grounds> {
  const { tenantId, actor } = asking
  const known = judgedAs ?? personOfCredential(actor)
  const statedUserId = known === null ? actor.userId : null
  const personIds = [...(known === null ? [] : [known]), ...others]
  const row = await db.one(sql.loadGrounds, { tenantId, actionId, statedUserId, personIds })
  // A select with no table at its outermost level returns one row.
  if (row === undefined) throw new Error('What an approval rests on could not be read.')
  return {
    policy: row.rules === null ? null : readStored(row.rules),
    policyVersion: row.policyVersion ?? 0,
    users: { any: row.anyUser, byId: new Map(row.people.map((person) => [person.id, person])) },
    approver: approverOf(actor, known ?? statedIn(row, statedUserId)),
    alreadyApproved: row.given.flatMap(({ underPolicy, ...given }) => (underPolicy ? [given] : [])),
    shadow: shadowIn(row),
  }
}

const statedIn = ({ people }: sql.GroundsRow, statedUserId: number | null): number =>
  people.find(({ userId }) => userId === statedUserId)?.id ?? 0

const approverOf = ({ by, userId }: Actor, personId: number): Approver => ({ by, userId, personId })

/** One that cannot be read is not tried: unlike the one in force, it guards nothing. */
function shadowIn({ shadowVersion, shadowRules, given }: sql.GroundsRow): Grounds['shadow'] {
  if (shadowVersion === null || shadowRules === null) return null
  const policy = readShadow(shadowRules)
  return policy === null ? null : { version: shadowVersion, policy, alreadyApproved: given }
}

function readShadow(text: string): Policy | null {
  try {
    return readStored(text)
  } catch {
    return null
  }
}

/** What both policies say of one decision; null where none is tried. */
function triedOn(
  grounds: Grounds,
  judge: (policy: Pick<Grounds, 'policy' | 'alreadyApproved'>) => Judged,
): Tried | null {
  const { policyVersion, shadow } = grounds
  if (shadow === null) return null
  return { version: shadow.version, policyVersion, live: verdictOf(judge(grounds)), shadow: verdictOf(judge(shadow)) }
}

/**
 * Whether the caller may approve this action, whose approvals count with theirs, and under which version of the policy. `judgedAs`
 * is the person whom the first judgement of this request found.
 */
export async function mayApprove(
  ctx: Loading,
  action: JudgedAction & { readonly actionId: string },
  judgedAs: number | null = null,
): Promise<(Approves | Barred) & Pick<Grounds, 'policyVersion'> & { readonly tried: Tried | null }> {
  const grounds = await loadGrounds(ctx, action.actionId, { judgedAs })
  const { policyVersion, users, approver } = grounds
  const judge = (by: Pick<Grounds, 'policy' | 'alreadyApproved'>) => judgeApprover({ ...by, users, approver, action })
  return { ...judge(grounds), policyVersion, tried: triedOn(grounds, judge) }
}

export type Outlook = Tally & {
  /** Null where the caller names nobody. */
  readonly caller: Approves | Barred | null
  /** Whether the caller has said yes to what would run now. */
  readonly callerApproved: boolean
  /** Whether the policy in force lets the person who proposes a write approve it. */
  readonly requesterMayApprove: boolean
}

/** What an action waits for, and what a yes of the caller would do. Nothing is decided by it. */
export async function outlookFor(ctx: Loading, action: JudgedAction & { readonly actionId: string }): Promise<Outlook> {
  const grounds = await loadGrounds(ctx, action.actionId)
  const caller = grounds.approver.userId === null ? null : judgeApprover({ ...grounds, action })
  return {
    ...tallyOf({ ...grounds, action }),
    caller,
    callerApproved: hasApproved(grounds, action),
    requesterMayApprove: grounds.policy?.requesterMayApprove ?? true,
  }
}

const hasApproved = ({ approver: { personId }, alreadyApproved }: Grounds, { payloadHash }: JudgedAction): boolean =>
  personId !== 0 && alreadyApproved.some((given) => given.payloadHash === payloadHash && given.personId === personId)

/**
 * The active people who may approve this action and have not. Whoever asked for it knows of it, and is left out. In a transaction,
 * so that what follows from it is written by what was read.
 */
export async function whoMayApprove(
  db: Queries,
  tenantId: number,
  action: JudgedAction & { readonly actionId: string },
): Promise<readonly sql.PersonRow[]> {
  const people = (await db.rows(sql.listPeople, { tenantId })).filter(({ active }) => active)
  const nobody = { by: 'key', userId: null, role: DEFAULT_ROLE } as const
  const others = people.map(({ id }) => id)
  const grounds = await loadGrounds({ db, asking: { tenantId, actor: nobody } }, action.actionId, { others })
  const given = grounds.alreadyApproved.filter(({ payloadHash }) => payloadHash === action.payloadHash)
  const approved = new Set(given.map(({ personId }) => personId))
  return people.filter((person) => {
    const { id, userId } = person
    if (approved.has(id) || action.requesters.some((number) => number === -id || number === userId)) return false
    return judgeApprover({ ...grounds, approver: { by: 'key', userId: numberOf(person), personId: id }, action }).ok
  })
}

/** Whether the caller may decline this action, and as whom. */
export async function mayReject(
  ctx: Loading,
  actionId: string,
): Promise<ReturnType<typeof judgeRejecter> & { readonly tried: Tried | null }> {
  const grounds = await loadGrounds(ctx, actionId)
  const { users, approver } = grounds
  const judge = ({ policy }: Pick<Grounds, 'policy'>) => judgeRejecter({ policy, users, approver })
  return { ...judge(grounds), tried: triedOn(grounds, judge) }
}

/** Whether the caller may say what became of this action, and as whom. */
export async function mayTestify(ctx: Loading, actionId: string): Promise<ReturnType<typeof judgeWitness>> {
  return judgeWitness(await loadGrounds(ctx, actionId))
}

/** The person who asks, where it takes no permission. */
export async function whoAsks(ctx: Loading, actionId: string): Promise<Decider> {
  const { userId, personId } = (await loadGrounds(ctx, actionId)).approver
  return { userId: userId ?? 0, personId }
}
