import type { JsonObject } from '../../../kernel/json/index.ts'
import type { Context } from '../../../tenancy/context/index.ts'
import type { Tool } from '../../../tools/catalog/index.ts'
import { mayCustomerConfirm, policyInForce, readValue } from '../../../writes/approvals/index.ts'

/**
 * Decides who gets the token that confirms a write. The tenant's own server always does. A page does only for a
 * verified customer whom the write is about, if the policy lets customers confirm. An agent never does.
 */
export async function tokenFor(ctx: Context, tool: Tool, given: JsonObject): Promise<'caller' | 'customer' | 'nobody'> {
  const { kind, customer } = ctx.asking
  if (kind === 'secret') return 'caller'
  if (kind !== 'publishable' || customer === null || !tool.requiresCustomer || tool.risk !== 'low') return 'nobody'
  const { name, domain, risk, valueFrom } = tool
  const write = { tool: name, domain, risk, value: readValue(valueFrom, given) }
  return mayCustomerConfirm(await policyInForce(ctx), write) ? 'customer' : 'nobody'
}
