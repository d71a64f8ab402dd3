import { z } from 'zod'
import { newId } from '../../kernel/ids/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import type { Signer } from '../../tenancy/tenants/index.ts'
import { attemptOf } from './attempt.ts'
import { signedOrRefused } from './endpoint.ts'
import { NOT_CONFIGURED, post } from './endpoint-transport.ts'
import { claimsEnvelopeOf } from './envelope.ts'

/** What the endpoint says of one write that it was sent: not what was asked, and not what it answered. */
export type EndpointClaim = {
  readonly requestId: string
  /** Null where it does not know any longer. */
  readonly tool: string | null
  /** The HTTP status that it answered, and answers to whoever comes again; null while it has none. */
  readonly status: number | null
  readonly claimedAt: Date
}

type ClaimsPage =
  | { readonly claims: readonly EndpointClaim[]; readonly next: string | null }
  /** Why it cannot tell, in words for the operator. */
  | { readonly unable: string }

const Key = z.string().regex(/^[\w.:-]{1,200}$/)
const Page = z.object({
  type: z.literal('claims'),
  claims: z
    .array(
      z.object({
        request_id: Key,
        tool: z
          .string()
          .regex(/^[\w-]{1,64}$/)
          .nullable(),
        status: z.int().min(100).max(599).nullable(),
        claimed_at: z.iso.datetime(),
      }),
    )
    .max(1000),
  next: Key.nullable(),
})

/** Asks the endpoint which writes it has claimed since then. It answers only if its owner has allowed that. */
export async function listClaims(
  ctx: Context,
  sign: Signer,
  asked: { since: Date; after: string },
): Promise<ClaimsPage> {
  const url = ctx.asking.wiring.endpointUrl
  if (url === null) return { unable: NOT_CONFIGURED.message }
  const requestId = newId('req')
  const body = claimsEnvelopeOf(ctx.asking, requestId, { ...asked, now: ctx.clock.now() })
  const signature = signedOrRefused(ctx, sign, requestId, body)
  const attempt = attemptOf(await post(ctx, { url, body, signature, requestId, mode: 'read' }), ctx.clock.now())
  if (!attempt.ok) return { unable: attempt.httpStatus === null ? attempt.message : `${attempt.message} ${LISTS_NONE}` }
  const page = Page.safeParse(attempt.value)
  if (!page.success)
    return {
      unable: `The endpoint answered ${attempt.httpStatus} with something that is no list of claims. ${LISTS_NONE}`,
    }
  const { claims, next } = page.data
  // One that goes in circles would be asked for ever.
  if (next !== null && next <= asked.after) return { unable: 'The endpoint lists its claims in circles.' }
  return {
    claims: claims.map(({ request_id: key, tool, status, claimed_at: at }) => ({
      requestId: key,
      tool,
      status,
      claimedAt: new Date(at),
    })),
    next,
  }
}

const LISTS_NONE = 'If it claims its writes, compare them from a file.'
