import { refuse } from '../../kernel/http/index.ts'
import { askerOf, findKey, issueKey, kindAsked, listKeys, presentKey, revokeKey, rotateKey } from '../access/index.ts'
import type { Context } from '../context/index.ts'

type AccountKeyInput = { kind: string; label?: string | undefined; allowReplace?: boolean | undefined }

export async function issueAccountKey(ctx: Context, input: AccountKeyInput) {
  const kind = kindAsked(input.kind, input.allowReplace ?? false)
  return presentKey(await issueKey(ctx, askerOf(ctx.asking), { kind, label: input.label ?? null }))
}

export async function listAccountKeys(ctx: Context) {
  const keys = (await listKeys(ctx, ctx.asking.tenantId)).map(presentKey)
  return { keys, count: keys.length }
}

/**
 * Describes the key that the caller uses, so that a pipeline can check that its key still works, and of what kind it
 * is.
 */
export async function readOwnKey(ctx: Context) {
  const key = await findKey(ctx, ctx.asking.tenantId, ctx.asking.keyPrefix ?? '')
  if (key === undefined) throw refuse('unknown_key', 'This key was revoked a moment ago. Use another one.')
  return presentKey(key)
}

export async function rotateAccountKey(ctx: Context, prefix: string) {
  return { ...presentKey(await rotateKey(ctx, askerOf(ctx.asking), prefix)), revokedPrefix: prefix }
}

export async function revokeAccountKey(ctx: Context, prefix: string) {
  await revokeKey(ctx, askerOf(ctx.asking), prefix)
  return { revoked: true as const, prefix }
}
