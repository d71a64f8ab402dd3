import type { Transaction } from '../../kernel/db/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { noTenant } from '../../tenancy/tenants/index.ts'
import { mostPolicyBytes } from './limits.ts'
import type { Policy } from './policy.ts'
import { checkPolicy, readStored, storedText } from './policy-document.ts'
import { catalogWarnings, type PolicyTool, type PolicyWarning, policyWarnings } from './policy-warnings.ts'
import * as sql from './queries.ts'

/** What the app hands to this room, which may not ask the catalog itself. */
export type ApprovalParts = {
  /** The tools that the workspace has registered. */
  readonly toolsOf: (ctx: Context) => Promise<readonly PolicyTool[]>
}

const NO_POLICY =
  'No approval policy is in force. A confirm is approved by any id that the caller states in X-Service-User-Id, registered or not, ' +
  'and by an action token that nobody was bound to. PUT /v1/policy says who must approve what.'

/** What is shown where no policy is in force: the switches at their presets. */
export const noPolicy: Policy = {
  rules: [],
  requesterMayApprove: true,
  customerSelfConfirm: false,
  remindAtHalf: false,
}

export async function readPolicy(ctx: Context) {
  return present(await ctx.db.one(sql.latestPolicy, { tenantId: ctx.asking.tenantId }))
}

/** Null where no policy is in force. */
export async function policyInForce(ctx: Pick<Context, 'db' | 'asking'>): Promise<Policy | null> {
  const row = await ctx.db.one(sql.latestPolicy, { tenantId: ctx.asking.tenantId })
  return row === undefined ? null : readStored(row.rules)
}

type PolicyRegistration =
  | ({ registered: true; warnings: PolicyWarning[] } & ReturnType<typeof present>)
  | { registered: false; error: string }

/** Replaces the policy entirely. A refused policy leaves the present one as it is. */
export async function registerPolicy(
  ctx: Context,
  value: unknown,
  toolsOf: ApprovalParts['toolsOf'],
): Promise<PolicyRegistration> {
  const checked = checkPolicy(value)
  if (!checked.ok) return { registered: false, error: checked.error }
  const row = await underTenantLock(ctx, (tx, tenantId) =>
    tx.one(sql.insertPolicy, { tenantId, rules: storedText(checked.policy), keepBytes: mostPolicyBytes }),
  )
  return { registered: true, ...present(row), warnings: await warningsOn(ctx, checked.policy, toolsOf) }
}

/** What of the catalog and the people a policy does not fit. Nothing without a policy. */
export async function warningsOn(
  ctx: Context,
  policy: Policy | null,
  toolsOf: ApprovalParts['toolsOf'],
): Promise<PolicyWarning[]> {
  if (policy === null) return []
  const [tools, people] = await Promise.all([
    toolsOf(ctx),
    ctx.db.rows(sql.listPeople, { tenantId: ctx.asking.tenantId }),
  ])
  return policyWarnings(policy, tools, people)
}

/** What the policy in force names and these tools lack, and the writes among them that it does not cover. */
export async function catalogWarningsOn(ctx: Context, tools: readonly PolicyTool[]): Promise<PolicyWarning[]> {
  const policy = await policyInForce(ctx)
  return policy === null ? [] : catalogWarnings(policy, tools)
}

/** That there were earlier versions stays known: what was approved was approved under one of them. */
export async function deletePolicy(ctx: Context): Promise<{ deleted: boolean; version: number }> {
  return await underTenantLock(ctx, async (tx, tenantId) => {
    const latest = await tx.one(sql.latestPolicy, { tenantId })
    if (latest === undefined || latest.rules === storedText(null)) {
      return { deleted: false, version: latest?.version ?? 0 }
    }
    const row = await tx.one(sql.insertPolicy, { tenantId, rules: storedText(null), keepBytes: mostPolicyBytes })
    return { deleted: true, version: row?.version ?? 0 }
  })
}

/** People and policies change one after the other. */
export async function underTenantLock<Result>(
  { db, asking: { tenantId } }: Context,
  change: (tx: Transaction, tenantId: number) => Promise<Result>,
): Promise<Result> {
  return await db.transaction(async (tx) => {
    if ((await tx.one(sql.lockTenant, { tenantId })) === undefined) throw noTenant()
    return await change(tx, tenantId)
  })
}

function present(row: sql.PolicyRow | undefined) {
  const policy = row === undefined ? null : readStored(row.rules)
  return {
    version: row?.version ?? 0,
    inForce: policy !== null,
    ...(policy ?? noPolicy),
    changedAt: row?.createdAt.toISOString() ?? null,
    notice: policy === null ? NO_POLICY : null,
  }
}
