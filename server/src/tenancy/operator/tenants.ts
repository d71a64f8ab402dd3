import type { Plan, TenantPatch } from '@tether/contract'
import type { z } from 'zod'
import type { Queries } from '../../kernel/db/index.ts'
import { Refusal, refuse } from '../../kernel/http/index.ts'
import { lockProvider } from '../access/index.ts'
import type { Context, OperatorAsking } from '../context/index.ts'
import {
  checkedEmail,
  checkedName,
  countLiveKeys,
  createTenant,
  eraseConfirmed,
  findTenant,
  listTenants,
  lockToMove,
  noTenant,
  patchTenant,
  type TenantChange,
  type TenantRow,
  tenantOf,
  unconfirmed,
} from '../tenants/index.ts'
import { spendOf } from '../usage/index.ts'

type OperatorContext = Context<OperatorAsking>

const summary = (tenant: TenantRow, providerId: number | null) => ({
  tenantId: tenant.tenantId,
  name: tenant.name,
  plan: tenant.plan,
  selfServe: tenant.selfServe,
  emailConfirmed: tenant.emailConfirmedAt !== null,
  provider: tenant.provider,
  providerId,
  createdAt: tenant.createdAt.toISOString(),
})

/** Of a provider that was deleted nothing is said. */
async function livingProvider(ctx: OperatorContext, { providerTenantId }: TenantRow): Promise<number | null> {
  if (providerTenantId === null) return null
  return (await findTenant(ctx, providerTenantId))?.tenantId ?? null
}

async function detail(ctx: OperatorContext, tenant: TenantRow) {
  return {
    ...summary(tenant, await livingProvider(ctx, tenant)),
    moderation: tenant.moderation,
    budget: { dailyCapUsd: tenant.dailyCapUsd, monthlyCapUsd: tenant.monthlyCapUsd },
    liveKeys: await countLiveKeys(ctx, tenant.tenantId),
    spend: await spendOf(ctx, tenant.tenantId),
  }
}

export async function createByOperator(
  ctx: OperatorContext,
  input: { name: string; plan?: Plan | undefined; email?: string | undefined },
) {
  const name = checkedName(input.name)
  const plan = input.plan ?? 'free'
  const email = input.email === undefined ? null : checkedEmail(input.email)
  const made = await createTenant(ctx, { name, plan, email, selfServe: false, confirmed: true })
  const { tenantId, apiKey, keyPrefix, signingSecret } = made
  return { tenantId, name, plan, apiKey, keyPrefix, signingSecret }
}

/** Reads one row more than asked for, which shows whether another page follows. */
export async function listByOperator(ctx: OperatorContext, after: number, limit: number) {
  const rows = await listTenants(ctx, after, limit + 1)
  const page = rows.slice(0, limit)
  const nextAfter = rows.length > limit ? (page.at(-1)?.tenantId ?? null) : null
  return { tenants: page.map((row) => summary(row, row.livingProviderId)), count: page.length, nextAfter }
}

export async function readByOperator(ctx: OperatorContext, tenantId: number) {
  return await detail(ctx, await tenantOf(ctx, tenantId))
}

export async function patchByOperator(ctx: OperatorContext, tenantId: number, patch: z.output<typeof TenantPatch>) {
  const { providerId } = patch
  const change: TenantChange = {
    providerId,
    name: patch.name === undefined ? undefined : checkedName(patch.name),
    plan: patch.plan,
    moderation: patch.moderation,
    dailyCapUsd: patch.budget?.dailyCapUsd,
    monthlyCapUsd: patch.budget?.monthlyCapUsd,
  }
  const patched =
    providerId === undefined
      ? await changeTenant(ctx, tenantId, change)
      : await ctx.db.transaction(async (db) => {
          await lockMove({ db }, tenantId, providerId)
          return await changeTenant({ db }, tenantId, change)
        })
  return await detail(ctx, patched)
}

/** Whoever takes a business on is a provider until it has it, and no provider is somebody's business. */
async function lockMove({ db }: { readonly db: Queries }, tenantId: number, to: number | null): Promise<void> {
  if (to !== null && !(await isProvider(db, to))) {
    throw refuse('invalid_request', '`providerId` must be a tenant with provider authority, or null. Grant it first.')
  }
  if (await lockToMove({ db }, tenantId)) return
  if ((await findTenant({ db }, tenantId)) === undefined) throw noTenant()
  throw refuse(
    'provisioned_tenant',
    'This tenant is a provider, so it cannot be the business of one. Withdraw that first.',
  )
}

const isProvider = (db: Queries, tenantId: number): Promise<boolean> =>
  lockProvider(db, { tenantId, askingKey: null }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Refusal && error.code === 'not_a_provider') return false
      throw error
    },
  )

/** Applies the whole change, or refuses it. */
export async function changeTenant(
  house: { readonly db: Queries },
  tenantId: number,
  change: TenantChange,
): Promise<TenantRow> {
  const changed = await patchTenant(house, tenantId, change)
  if (changed !== undefined) return changed
  if ((await findTenant(house, tenantId)) === undefined) throw noTenant()
  throw unconfirmed('paid_plan')
}

export async function deleteByOperator(ctx: OperatorContext, tenantId: number, confirm: string | undefined) {
  const tenant = await tenantOf(ctx, tenantId)
  return await eraseConfirmed(ctx, tenantId, confirm === tenant.name, '')
}
