import { refuse } from '../../kernel/http/index.ts'
import { releaseHeld } from '../mail/index.ts'
import { confirmAddress, lockAddress } from '../tenants/index.ts'
import { invalidLink, openAccountLink } from './links.ts'
import * as sql from './queries.ts'
import type { Anyone } from './sign-up.ts'

/**
 * The link proves the address. In one step we confirm the workspace, activate its held origins and release its held
 * mail.
 */
export async function confirmByLink(ctx: Anyone, token: string) {
  const { tenantId, linkId } = openAccountLink(ctx, 'confirm', token)
  return await ctx.db.transaction(async (tx) => {
    const onFile = await lockAddress(tx, ctx, tenantId)
    if (onFile === undefined || onFile.email === null) throw invalidLink('confirm')
    if ((await tx.run(sql.spendLink, { tenantId, linkId, purpose: 'confirm' })) === 0) {
      throw refuse(
        'link_used',
        'This link was already used, or a newer one replaced it. GET /v1/account/confirmation shows whether the address is confirmed.',
      )
    }
    await confirmAddress(tx, tenantId)
    await releaseHeld(tx, tenantId)
    return { confirmed: true as const, tenantId, name: onFile.name, email: onFile.email }
  })
}
