import type { Queries } from '../../foundation/db/index.ts'
import type { TenantAsking } from '../../ground/context/index.ts'
import type { Approver, GivenApproval, People } from './judge.ts'
import type { Policy } from './policy.ts'
import { readStored } from './policy-document.ts'
import * as sql from './queries.ts'

export type LoadedApproval = {
  readonly policy: Policy | null
  /** 0 while there never was a policy. A claim that compares it notices a policy that changed since. */
  readonly policyVersion: number
  readonly users: People
  readonly alreadyApproved: readonly GivenApproval[]
}

type Wanted = { readonly actionId: string; readonly approverUserId: number | null }

/** One query, as of one moment. `db` may be a transaction, to judge again what it has just written. */
export async function loadApproval(
  { db, asking }: { readonly db: Queries; readonly asking: Pick<TenantAsking, 'tenantId'> },
  { actionId, approverUserId }: Wanted,
): Promise<LoadedApproval> {
  const row = await db.one(sql.loadApproval, { tenantId: asking.tenantId, actionId, approverUserId })
  // A select without a table in its outermost level answers one row.
  if (row === undefined) throw new Error('The approval of an action could not be read.')
  return {
    policy: row.rules === null ? null : readStored(row.rules),
    policyVersion: row.policyVersion ?? 0,
    users: { any: row.anyUser, byUserId: new Map(row.people.map((person) => [person.userId, person])) },
    alreadyApproved: row.given,
  }
}

/** Who approves, from the credential: a secret key states a user, an action token was bound to one or to none. */
export const approverOf = ({
  kind,
  userId,
  approverUserId,
  selfConfirm,
}: Pick<TenantAsking, 'kind' | 'userId' | 'approverUserId'> & Partial<Pick<TenantAsking, 'selfConfirm'>>): Approver =>
  kind === 'action' && selfConfirm === true
    ? { by: 'customer' }
    : kind === 'action'
      ? { by: 'token', userId: approverUserId, stated: userId }
      : { by: 'key', userId }
