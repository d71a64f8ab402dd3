import type { Language } from '@tether/contract'
import { sha256Hex } from '../../foundation/crypto/index.ts'
import { requireOpen, requireSalt } from './admission.ts'
import { contentOf, invalidLink } from './links.ts'
import * as sql from './queries.ts'
import { type Anyone, createWorkspace, wantedOf } from './sign-up.ts'

/** What `sealVerifyLink` sealed, and nobody else could have. */
const asSealed = (content: string) => JSON.parse(content) as [email: string, name: string, language: Language]

/** A link that creates the workspace when it is opened. Whoever opens it reads the mailbox, so the address is confirmed. */
export async function verify(ctx: Anyone, token: string) {
  requireOpen(ctx.settings)
  requireSalt(ctx.settings)
  const content = contentOf(ctx, 'verify', token)
  const [email, name, language] = asSealed(content)
  const spent = sha256Hex(token.trim())
  return await createWorkspace(ctx, wantedOf(ctx, { email, name, language }), {
    confirmed: true,
    async once(tx) {
      if (((await tx.one(sql.countInTally, { kind: 'verify', hash: spent }))?.count ?? 0) > 0)
        throw invalidLink('verify')
      await tx.run(sql.noteInTally, { kind: 'verify', hash: spent })
    },
  })
}
