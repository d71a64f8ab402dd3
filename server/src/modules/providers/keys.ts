import {
  type Asker,
  issueInboxKey as issue,
  issueKey,
  kindAsked,
  listInboxKeys as listAll,
  listKeys,
  presentKey,
  providerOf,
  requireBusiness,
  revokeInboxKey as revoke,
  revokeKey,
  rotateKey,
} from '../../tenancy/access/index.ts'
import type { Context } from '../../tenancy/context/index.ts'

/** The provider asks for something of its business. Whether it is one is asked again under the lock of whatever is done. */
const askerIn = ({ asking }: Context, tenantId: number): Asker => ({
  tenantId,
  askingKey: null,
  provider: providerOf(asking),
})

type KeyInput = { kind: string; label?: string | undefined; allowReplace?: boolean | undefined }

export async function listBusinessKeys(ctx: Context, tenantId: number) {
  await requireBusiness(ctx, ctx.asking, tenantId)
  const keys = (await listKeys(ctx, tenantId)).map(presentKey)
  return { keys, count: keys.length }
}

export async function issueBusinessKey(ctx: Context, tenantId: number, input: KeyInput) {
  await requireBusiness(ctx, ctx.asking, tenantId)
  const kind = kindAsked(input.kind, input.allowReplace ?? false)
  return presentKey(await issueKey(ctx, askerIn(ctx, tenantId), { kind, label: input.label ?? null }))
}

export async function rotateBusinessKey(ctx: Context, tenantId: number, prefix: string) {
  await requireBusiness(ctx, ctx.asking, tenantId)
  return { ...presentKey(await rotateKey(ctx, askerIn(ctx, tenantId), prefix)), revokedPrefix: prefix }
}

export async function revokeBusinessKey(ctx: Context, tenantId: number, prefix: string) {
  await revokeKey(ctx, askerIn(ctx, tenantId), prefix)
  return { revoked: true as const, prefix }
}

export const issueInboxKey = async (ctx: Context, label: string | undefined) =>
  presentKey(await issue(ctx, providerOf(ctx.asking), label ?? null))

export async function listInboxKeys(ctx: Context) {
  const keys = (await listAll(ctx, ctx.asking.tenantId)).map(presentKey)
  return { keys, count: keys.length }
}

export async function revokeInboxKey(ctx: Context, prefix: string) {
  await revoke(ctx, ctx.asking.tenantId, prefix)
  return { revoked: true as const, prefix }
}
