import { sha256Hex } from '../../kernel/crypto/index.ts'
import { requireOpen, requireSalt } from './admission.ts'
import { invalidLink, openVerifyLink } from './links.ts'
import * as sql from './queries.ts'
import { type Anyone, checkedRequest, createWorkspace, type SignupParts } from './sign-up.ts'

/**
 * Creates the workspace of a mailed link. Whoever opens the link can read the mailbox, so the address counts as
 * confirmed.
 */
export async function createFromLink(ctx: Anyone, { openClaim }: Pick<SignupParts, 'openClaim'>, token: string) {
  requireOpen(ctx.settings)
  requireSalt(ctx.settings)
  // A claim is checked before the address: if this link has already created the workspace, the claim is spent.
  const { email, name, language, addition } = await openVerifyLink(ctx, token, openClaim)
  const spent = sha256Hex(token.trim())
  return await createWorkspace(ctx, checkedRequest(ctx, { email, name, language }), {
    confirmed: true,
    async once(tx) {
      if (((await tx.one(sql.countInTally, { kind: 'verify', hash: spent }))?.count ?? 0) > 0)
        throw invalidLink('verify')
      await tx.run(sql.noteInTally, { kind: 'verify', hash: spent })
    },
    ...(addition === undefined ? {} : { addition }),
  })
}
