import type { JsonObject } from '../../kernel/json/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { argumentsFit, argumentsTooLarge, checkArguments, type Tool } from '../catalog/index.ts'
import type { Calls } from './calls.ts'

/** Nothing was called, and nothing was staged. */
export type NotUsed = {
  readonly kind: 'unknown_tool' | 'invalid_request' | 'body_too_large' | 'customer_required'
  readonly toolName: string
  readonly message: string
}
/** What keeps this tool from being used with these arguments. */
export async function refuseUse(
  ctx: Context,
  calls: Pick<Calls, 'faultOf'>,
  { tool, given, hasCustomer }: { readonly tool: Tool; readonly given: JsonObject; readonly hasCustomer: boolean },
): Promise<NotUsed | null> {
  const toolName = tool.name
  const { maxArgumentBytes } = ctx.settings.toolTransport
  if (!argumentsFit(given, maxArgumentBytes))
    return { kind: 'body_too_large', toolName, message: argumentsTooLarge(maxArgumentBytes) }
  const checked = checkArguments(tool, given)
  if (!checked.ok) return { kind: 'invalid_request', toolName, message: checked.message }
  const fault = await calls.faultOf(ctx, tool, given)
  if (fault !== null) return { kind: 'invalid_request', toolName, message: fault }
  if (!tool.requiresCustomer || hasCustomer) return null
  const message =
    'This tool acts for a signed-in customer: send X-Service-Customer-Token. Nothing was called or staged.'
  return { kind: 'customer_required', toolName, message }
}
