import type { Context } from '../../../ground/context/index.ts'
import { readPolicy } from '../../approvals/index.ts'
import type { Tool } from '../../catalog/index.ts'

/**
 * Whether this caller is handed the token that confirms such a write: the tenant's own server always; a page only where the
 * policy lets a verified customer confirm what is theirs and costs little; an agent never.
 */
export async function mayConfirm(ctx: Context, tool: Tool): Promise<boolean> {
  const { kind } = ctx.asking
  if (kind === 'secret') return true
  return kind === 'publishable' && (await maySelfConfirm(ctx, tool))
}

/** The token then speaks for that customer, and for no one else. */
export async function maySelfConfirm(ctx: Context, tool: Tool): Promise<boolean> {
  if (ctx.asking.customer === null || !tool.requiresCustomer || tool.risk !== 'low') return false
  const { inForce, customerSelfConfirm } = await readPolicy(ctx)
  return inForce && customerSelfConfirm
}
