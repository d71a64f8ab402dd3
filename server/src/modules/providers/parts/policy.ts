import { type Json, jsonEqual } from '../../../kernel/json/index.ts'
import { type ApprovalParts, policyInForce, registerPolicy } from '../../../writes/approvals/index.ts'
import { APPLIED, nothingToCopy, type Part, UNCHANGED } from '../part.ts'

/** A push sets a policy and never takes one away: a business that has one of its own is not left without. */
export const policyPart = ({ toolsOf }: ApprovalParts): Part => ({
  async read(ctx) {
    const policy = await policyInForce(ctx)
    return policy === null
      ? nothingToCopy('approval policy', 'Set one with PUT /v1/policy')
      : { value: policy as unknown as Json }
  },
  async place(ctx, policy) {
    const present = await policyInForce(ctx)
    if (present !== null && jsonEqual(present as unknown as Json, policy)) return UNCHANGED
    const made = await registerPolicy(ctx, policy, toolsOf)
    return made.registered ? APPLIED : { status: 'refused', error: made.error }
  },
})
