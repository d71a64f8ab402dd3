import type { Queries } from '../../foundation/db/index.ts'
import { DEFAULT_ROLE, numberOf, type TenantAsking } from '../../ground/context/index.ts'
import {
  type Approves,
  type Barred,
  type GivenApproval,
  type JudgedAction,
  judgeApprover,
  judgeRejecter,
  judgeWitness,
  nowKnownAs,
  type People,
  type Tally,
  tallyOf,
} from './judge.ts'
import type { Policy } from './policy.ts'
import { readStored } from './policy-document.ts'
import * as sql from './queries.ts'
import { type Judged, type Tried, verdictOf } from './tried.ts'

export type Grounds = {
  readonly policy: Policy | null
  /** 0 before the first policy. A claim that compares it notices a policy that has changed since. */
  readonly policyVersion: number
  readonly users: People
  readonly alreadyApproved: readonly GivenApproval[]
  /** A policy that is tried beside it. Had it been in force, what was approved since it is tried would count under it, too. */
  readonly shadow: {
    readonly version: number
    readonly policy: Policy
    readonly alreadyApproved: readonly GivenApproval[]
  } | null
}

type Loading = { readonly db: Queries } & { readonly asking: Pick<TenantAsking, 'tenantId' | 'actor'> }

/** What a judgement of this caller and this action rests on, as of one moment. */
export async function loadGrounds(
  { db, asking }: Loading,
  actionId: string,
  requesters: readonly number[] = [],
): Promise<Grounds> {
  const { tenantId, actor } = asking
  const numbers = [...(actor.userId === null ? [] : [actor.userId]), ...requesters]
  const row = await db.one(sql.loadGrounds, { tenantId, actionId, numbers })
  // A select with no table at its outermost level returns one row.
  if (row === undefined) throw new Error('What an approval rests on could not be read.')
  return {
    policy: row.rules === null ? null : readStored(row.rules),
    policyVersion: row.policyVersion ?? 0,
    users: { any: row.anyUser, byUserId: byNumber(row.people, [...numbers, ...row.given.map(({ userId }) => userId)]) },
    alreadyApproved: row.given.flatMap(({ underPolicy, ...given }) => (underPolicy ? [given] : [])),
    shadow: shadowIn(row),
  }
}

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

/** By every number that was asked about: somebody who got a userId since is found by the one that they had before, too. */
const byNumber = (people: sql.GroundsRow['people'], asked: readonly number[]): People['byUserId'] =>
  new Map(
    people.flatMap(({ id, userId, role, active }) => {
      const person = { userId: numberOf({ id, userId }), role, active }
      return [person.userId, -id].filter((number) => asked.includes(number)).map((number) => [number, person] as const)
    }),
  )

/** Whether the caller may approve this action, whose approvals count with theirs, and under which version of the policy. */
export async function mayApprove(
  ctx: Loading,
  action: JudgedAction & { readonly actionId: string },
): Promise<(Approves | Barred) & Pick<Grounds, 'policyVersion'> & { readonly tried: Tried | null }> {
  const { requestedByUserId, earlierRequesters = [] } = action
  const grounds = await loadGrounds(ctx, action.actionId, [requestedByUserId, ...earlierRequesters])
  const { policyVersion, users } = grounds
  const judge = (by: Pick<Grounds, 'policy' | 'alreadyApproved'>) =>
    judgeApprover({ ...by, users, approver: ctx.asking.actor, action })
  return { ...judge(grounds), policyVersion, tried: triedOn(grounds, judge) }
}

export type Outlook = Tally & {
  /** Null where the caller names nobody. */
  readonly caller: Approves | Barred | null
  /** Whether the caller has said yes to what would run now. */
  readonly callerApproved: boolean
}

/** What an action waits for, and what a yes of the caller would do. Nothing is decided by it. */
export async function outlookFor(ctx: Loading, action: JudgedAction & { readonly actionId: string }): Promise<Outlook> {
  const { requestedByUserId, earlierRequesters = [] } = action
  const grounds = await loadGrounds(ctx, action.actionId, [requestedByUserId, ...earlierRequesters])
  const approver = ctx.asking.actor
  const caller = approver.userId === null ? null : judgeApprover({ ...grounds, approver, action })
  return { ...tallyOf({ ...grounds, action }), caller, callerApproved: hasApproved(grounds, action, approver.userId) }
}

function hasApproved(
  { users, alreadyApproved }: Grounds,
  { payloadHash }: JudgedAction,
  userId: number | null,
): boolean {
  if (userId === null) return false
  return alreadyApproved.some(
    (given) => given.payloadHash === payloadHash && nowKnownAs(users, given.userId) === nowKnownAs(users, userId),
  )
}

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
  const requesters = [action.requestedByUserId, ...(action.earlierRequesters ?? [])]
  const nobody = { by: 'key', userId: null, role: DEFAULT_ROLE } as const
  const numbers = [...requesters, ...people.map(numberOf)]
  const grounds = await loadGrounds({ db, asking: { tenantId, actor: nobody } }, action.actionId, numbers)
  const given = grounds.alreadyApproved.filter(({ payloadHash }) => payloadHash === action.payloadHash)
  const known = new Set([...requesters, ...given.map(({ userId }) => userId)])
  return people.filter((person) => {
    const userId = numberOf(person)
    if (known.has(userId) || known.has(-person.id)) return false
    return judgeApprover({ ...grounds, approver: { ...nobody, userId, role: person.role }, action }).ok
  })
}

/** Whether the caller may decline this action, and as whom. */
export async function mayReject(
  ctx: Loading,
  actionId: string,
): Promise<ReturnType<typeof judgeRejecter> & { readonly tried: Tried | null }> {
  const grounds = await loadGrounds(ctx, actionId)
  const judge = ({ policy }: Pick<Grounds, 'policy'>) =>
    judgeRejecter({ policy, users: grounds.users, approver: ctx.asking.actor })
  return { ...judge(grounds), tried: triedOn(grounds, judge) }
}

/** Whether the caller may say what became of this action, and as whom. */
export async function mayTestify(ctx: Loading, actionId: string): Promise<ReturnType<typeof judgeWitness>> {
  return judgeWitness({ ...(await loadGrounds(ctx, actionId)), approver: ctx.asking.actor })
}
