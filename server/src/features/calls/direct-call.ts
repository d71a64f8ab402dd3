import { type Answer, type RequestHead, refuse } from '../../foundation/http/index.ts'
import { isObject, type JsonObject, stringifyJson } from '../../foundation/json/index.ts'
import type { Context } from '../../ground/context/index.ts'
import { type Catalogs, checkArguments, type Tool, trimResult } from '../catalog/index.ts'
import type { Calls, ReadResult } from './calls.ts'

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
  const result = await calls.read(ctx, { tool, arguments: given, surface: 'direct' }, input.head.signal)
  return { status: 200, text: { type: 'application/json; charset=utf-8', content: presented(tool, result) } }
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
function presented(tool: Tool, result: ReadResult): string {
  const { status, durationMs } = result
  const { text, ...rest } = result.status === 'ok' ? resultText(tool, result) : failureText(result)
  const head = `{"status":${JSON.stringify(status)},"toolName":${JSON.stringify(tool.name)},"result":${text},`
  return head + JSON.stringify({ ...rest, durationMs }).slice(1)
}

type Failed = Exclude<ReadResult, { status: 'ok' }>

const failureText = ({ message, lastStatus }: Failed) => ({
  text: 'null',
  message,
  ...(lastStatus === null ? {} : { lastStatus }),
})

function resultText(tool: Tool, { body, value }: Exclude<ReadResult, Failed>) {
  if (tool.result === null) return { text: body.length === 0 ? 'null' : withoutMark(body) }
  const { value: trimmed, notice } = trimResult(value, tool.result)
  return { text: stringifyJson(trimmed), ...(notice === null ? {} : { notice }) }
}

/** A byte order mark may stand before a text and not inside one. */
const withoutMark = (body: Buffer): string => new TextDecoder('utf-8').decode(body)
