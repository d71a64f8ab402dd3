import { KEY_PREFIXES } from '@tether/contract'
import { newSigningSecret } from '../../kernel/crypto/index.ts'
import type { Queries } from '../../kernel/db/index.ts'
import { Refusal } from '../../kernel/http/index.ts'
import { changingKeys } from '../access/index.ts'
import { placeOf } from '../context/index.ts'
import { queueMail } from '../mail/index.ts'
import { lockAddress } from '../tenants/index.ts'
import { callerHash, requireSalt } from './admission.ts'
import { exportLines } from './answers.ts'
import { RECOVERY_NOTICE } from './letters.ts'
import { invalidLink, openAccountLink } from './links.ts'
import * as sql from './queries.ts'
import type { Anyone } from './sign-up.ts'

/** Exchanges the link for one new secret key, shown once. The same statement stops every earlier secret key. */
export async function redeem(ctx: Anyone, input: { token: string; rotateSigningSecret?: boolean | undefined }) {
  requireSalt(ctx.settings)
  const { tenantId, linkId } = openAccountLink(ctx, 'recover', input.token)
  const signingSecret = input.rotateSigningSecret === true ? newSigningSecret() : null
  const sealed = signingSecret === null ? null : ctx.keyring.seal(signingSecret, placeOf(tenantId, 'signing_secret'))
  try {
    return await changingKeys(
      ctx,
      { tenantId, askingKey: null },
      KEY_PREFIXES.secret,
      async (tx, { key, hash, prefix }) => {
        const row = await tx.one(sql.redeemLink, {
          tenantId,
          linkId,
          keyHash: hash,
          keyPrefix: prefix,
          signingSecret: sealed,
          callerHash: callerHash(ctx),
        })
        if (row === undefined) throw invalidLink('recover')
        await mailNotice(tx, ctx, tenantId, row)
        return {
          tenantId,
          name: row.name,
          apiKey: key,
          keyPrefix: prefix,
          revokedKeys: row.revokedKeys,
          signingSecret,
          exportLines: exportLines(ctx.settings, key, signingSecret),
          note: noteOf(signingSecret !== null),
        }
      },
    )
  } catch (error) {
    // An erased workspace cannot be recovered, and we do not reveal that it existed.
    if (error instanceof Refusal && error.code === 'tenant_not_found') throw invalidLink('recover')
    throw error
  }
}

const noteOf = (rotated: boolean): string =>
  `Store the key now. It is not shown again. Every earlier secret key is revoked; publishable, agent and inbox keys${rotated ? '' : ', the signing secret'} and the configuration stay.`

async function mailNotice(
  tx: Queries,
  ctx: Anyone,
  tenantId: number,
  { name, revokedKeys }: sql.RedeemedRow,
): Promise<void> {
  const onFile = await lockAddress(tx, ctx, tenantId)
  if (onFile === undefined || onFile.email === null) return
  const fields = { name, revoked: revokedKeys, at: ctx.clock.now() }
  await queueMail(tx, ctx, { tenantId, kind: RECOVERY_NOTICE, to: onFile.email, language: onFile.language, fields })
}
