import type { Context, TenantAsking } from '../../ground/context/index.ts'
import {
  type Approves,
  type Barred,
  type GivenApproval,
  type JudgedAction,
  judgeApprover,
  judgeRejecter,
  type People,
} from './judge.ts'
import type { Policy } from './policy.ts'
import { readStored } from './policy-document.ts'
import * as sql from './queries.ts'

export type Grounds = {
  readonly policy: Policy | null
  /** 0 before the first policy. A claim that compares it notices a policy that has changed since. */
  readonly policyVersion: number
  readonly users: People
  readonly alreadyApproved: readonly GivenApproval[]
}

type Loading = Pick<Context, 'db'> & { readonly asking: Pick<TenantAsking, 'tenantId' | 'actor'> }

/** What a judgement of this caller and this action rests on, as of one moment. */
export async function loadGrounds({ db, asking }: Loading, actionId: string): Promise<Grounds> {
  const row = await db.one(sql.loadGrounds, { tenantId: asking.tenantId, actionId, userId: asking.actor.userId })
  // A select with no table at its outermost level returns one row.
  if (row === undefined) throw new Error('What an approval rests on could not be read.')
  return {
    policy: row.rules === null ? null : readStored(row.rules),
    policyVersion: row.policyVersion ?? 0,
    users: { any: row.anyUser, byUserId: new Map(row.people.map((person) => [person.userId, person])) },
    alreadyApproved: row.given,
  }
}

/** Whether the caller may approve this action, whose approvals count with theirs, and under which version of the policy. */
export async function mayApprove(
  ctx: Loading,
  action: JudgedAction & { readonly actionId: string },
): Promise<(Approves | Barred) & Pick<Grounds, 'policyVersion'>> {
  const grounds = await loadGrounds(ctx, action.actionId)
  return { ...judgeApprover({ ...grounds, approver: ctx.asking.actor, action }), policyVersion: grounds.policyVersion }
}

/** Whether the caller may decline this action, and as whom. */
export async function mayReject(ctx: Loading, actionId: string): Promise<ReturnType<typeof judgeRejecter>> {
  return judgeRejecter({ ...(await loadGrounds(ctx, actionId)), approver: ctx.asking.actor })
}
