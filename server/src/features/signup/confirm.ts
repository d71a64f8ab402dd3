import { refuse } from '../../foundation/http/index.ts'
import { releaseHeld } from '../../ground/mail/index.ts'
import { confirmAddress, lockAddress } from '../../ground/tenants/index.ts'
import { invalidLink, openAccountLink } from './links.ts'
import * as sql from './queries.ts'
import type { Anyone } from './sign-up.ts'

/** The address is proved: in one step the workspace is confirmed, its held origins move in and its held mail goes out. */
export async function confirm(ctx: Anyone, token: string) {
  const { tenantId, linkId } = openAccountLink(ctx, 'confirm', token)
  return await ctx.db.transaction(async (tx) => {
    const onFile = await lockAddress(tx, ctx, tenantId)
    if (onFile === undefined || onFile.email === null) throw invalidLink('confirm')
    if ((await tx.run(sql.spendLink, { tenantId, linkId, purpose: 'confirm' })) === 0) {
      throw refuse(
        'link_used',
        'This link was used, or a newer one replaced it. GET /v1/account/confirmation says how the workspace stands.',
      )
    }
    await confirmAddress(tx, tenantId)
    await releaseHeld(tx, tenantId)
    return { confirmed: true as const, tenantId, name: onFile.name, email: onFile.email }
  })
}
