import { type Answer, type RequestHead, refuse } from '../../foundation/http/index.ts'
import { isObject, type Json, type JsonObject, type RawJson, rawJson } from '../../foundation/json/index.ts'
import type { Context } from '../../ground/context/index.ts'
import { type Catalogs, checkArguments, type Tool, trimResult } from '../catalog/index.ts'
import type { Calls, ReadOutcome } from './calls.ts'

/** What stages a write; the actions room brings it, and knows what a request may say of it beside its body. */
type Head = Pick<RequestHead, 'valuesOf' | 'signal'>
export type StageWrite = (ctx: Context, tool: Tool, given: JsonObject, head: Head) => Promise<Answer>

type Parts = { readonly catalogs: Catalogs; readonly calls: Calls; readonly stage: StageWrite }
type Input = { readonly name: string; readonly arguments: unknown; readonly head: Head }

/** A tool called by the tenant's own server: a read runs at once, a write is staged. */
export async function callDirectly(ctx: Context, { catalogs, calls, stage }: Parts, input: Input): Promise<Answer> {
  const tool = (await catalogs.of(ctx)).find(input.name)
  if (tool === undefined) {
    throw refuse(
      'unknown_tool',
      `There is no tool "${input.name.slice(0, 64)}" in the catalog. GET /v1/tools lists them.`,
    )
  }
  const given = isObject(input.arguments) ? input.arguments : {}
  const checked = checkArguments(tool, given)
  if (!checked.ok) throw refuse('invalid_request', checked.message)
  if (tool.requiresCustomer && ctx.asking.customer === null) return customerRequired(tool)
  if (tool.isWrite) return await stage(ctx, tool, given, input.head)
  const outcome = await calls.read(ctx, { tool, arguments: given, surface: 'direct' }, input.head.signal)
  return { status: 200, body: presented(tool, outcome) }
}

const customerRequired = (tool: Tool): Answer => ({
  status: 403,
  body: {
    status: 'customer_required',
    toolName: tool.name,
    message: 'This tool acts for a signed-in customer: send X-Service-Customer-Token. Nothing was called or staged.',
  },
})

/** The endpoint's own bytes are the result: numbers and members stand as the business wrote them. */
function presented(tool: Tool, { status, attempt, message, lastStatus, durationMs }: ReadOutcome): object {
  const { result, notice } = attempt?.ok === true ? resultOf(tool, attempt) : { result: null, notice: null }
  return {
    status,
    toolName: tool.name,
    result,
    ...(notice === null ? {} : { notice }),
    ...(message === null ? {} : { message }),
    ...(lastStatus === null ? {} : { lastStatus }),
    durationMs,
  }
}

function resultOf(
  tool: Tool,
  attempt: Extract<ReadOutcome['attempt'], { ok: true }>,
): { result: Json | RawJson; notice: string | null } {
  if (tool.result === null)
    return { result: attempt.body.length === 0 ? null : rawJson(withoutMark(attempt.body)), notice: null }
  const { value, notice } = trimResult(attempt.value, tool.result)
  return { result: value, notice }
}

/** A byte order mark may stand before a text and not inside one. */
const withoutMark = (body: Buffer): string => new TextDecoder('utf-8').decode(body)
