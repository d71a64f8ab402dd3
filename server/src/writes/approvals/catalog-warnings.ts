import type { Context } from '../../tenancy/context/index.ts'
import { policyInForce } from './policies.ts'
import { catalogWarnings, type PolicyTool, type PolicyWarning } from './policy-warnings.ts'

/** What the policy in force names and these tools lack, and the writes among them that it does not cover. */
export async function catalogWarningsOn(ctx: Context, tools: readonly PolicyTool[]): Promise<PolicyWarning[]> {
  const policy = await policyInForce(ctx)
  return policy === null ? [] : catalogWarnings(policy, tools)
}
