import { isObject, parseJson } from '../../kernel/json/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { userIdOf } from '../../tenancy/context/index.ts'
import { type ApprovalParts, noPolicy, underTenantLock, warningsOn } from './policies.ts'
import { checkPolicy, readStored, storedText } from './policy-document.ts'
import type { PolicyWarning } from './policy-warnings.ts'
import * as sql from './shadow-queries.ts'
import type { Verdict } from './tried.ts'

const IN_SHADOW =
  'This policy is tried and decides nothing. GET /v1/policy/shadow says where it would have decided otherwise; PUT /v1/policy puts it in force.'

type ShadowRegistration =
  | ({ registered: true; mode: 'shadow'; warnings: PolicyWarning[] } & ReturnType<typeof present>)
  | { registered: false; error: string }

/** Tries a policy beside the one in force, in place of the one that was tried before. */
export async function registerShadow(
  ctx: Context,
  value: unknown,
  toolsOf: ApprovalParts['toolsOf'],
): Promise<ShadowRegistration> {
  const checked = checkPolicy(value)
  if (!checked.ok) return { registered: false, error: checked.error }
  const row = await underTenantLock(ctx, (tx, tenantId) =>
    tx.one(sql.putShadow, { tenantId, rules: storedText(checked.policy) }),
  )
  const warnings = await warningsOn(ctx, checked.policy, toolsOf)
  return { registered: true, mode: 'shadow', ...present(row), warnings }
}

export async function deleteShadow(ctx: Context): Promise<{ deleted: boolean; version: number }> {
  return await underTenantLock(ctx, async (tx, tenantId) => {
    const tried = await tx.one(sql.findShadow, { tenantId })
    if (tried === undefined || tried.rules === null) return { deleted: false, version: tried?.version ?? 0 }
    const row = await tx.one(sql.putShadow, { tenantId, rules: null })
    return { deleted: true, version: row?.version ?? 0 }
  })
}

/** The policy that is tried, and where it would have decided otherwise than the one in force, the latest first. */
export async function readShadow(ctx: Context, { before, limit }: { before: number | null; limit: number }) {
  const { tenantId } = ctx.asking
  const tried = await ctx.db.one(sql.findShadow, { tenantId })
  if (tried === undefined || tried.rules === null) {
    return { policy: null, decisions: 0, differing: 0, differences: [], count: 0, nextBefore: null }
  }
  const { version, decided, differing } = tried
  const rows = await ctx.db.rows(sql.listDifferences, { tenantId, version, before, limit: limit + 1 })
  const differences = rows.slice(0, limit).map(differenceOf)
  return {
    policy: present(tried),
    decisions: decided,
    differing,
    differences,
    count: differences.length,
    nextBefore: rows.length > limit ? (differences.at(-1)?.number ?? null) : null,
  }
}

function present(row: sql.ShadowRow | undefined) {
  const policy = row?.rules == null ? noPolicy : (readStored(row.rules) ?? noPolicy)
  return {
    version: row?.version ?? 0,
    inForce: false,
    ...policy,
    changedAt: row?.createdAt.toISOString() ?? null,
    notice: IN_SHADOW,
  }
}

function differenceOf({
  registeredId,
  registeredUserId,
  displayName,
  email,
  at,
  userId,
  live,
  shadow,
  ...row
}: sql.DifferenceRow) {
  const user =
    registeredId === null ? null : { id: registeredId, userId: registeredUserId, displayName: displayName ?? '', email }
  return {
    ...row,
    at: at.toISOString(),
    userId: userIdOf(userId) ?? 0,
    user,
    live: verdictIn(live),
    shadow: verdictIn(shadow),
  }
}

/** The text is our own, written from a verdict. */
function verdictIn(text: string): Verdict {
  const value = parseJson(text)
  if (!isObject(value)) throw new Error('A verdict that was kept cannot be read.')
  return value as unknown as Verdict
}
