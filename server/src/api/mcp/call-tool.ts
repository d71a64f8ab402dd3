import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { Refusal } from '../../kernel/http/index.ts'
import { isObject, type JsonObject, shown } from '../../kernel/json/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import type { Progress } from '../../tools/calls/index.ts'
import { useTool } from '../../writes/actions/index.ts'
import { reversesText } from '../../writes/writes/index.ts'
import { isOffered, type McpRooms } from './list-tools.ts'
import { outputSchemaOf } from './output-schema.ts'
import { failedResult, resultOf } from './results.ts'

type ToolAsked = { readonly name: string; readonly arguments?: unknown }
type Request = {
  readonly signal: AbortSignal
  readonly _meta?: { readonly progressToken?: string | number | undefined } | undefined
  notify(notification: ProgressNotification): Promise<void>
}
type ProgressNotification = {
  readonly method: 'notifications/progress'
  readonly params: { readonly progressToken: string | number } & Progress
}

type CalledTool = { readonly result: CallToolResult; readonly outputSchema?: JsonObject }

/** The caller's own key of a staging, under this name in `_meta`: the same call under the same key is the same action. */
const STAGE_KEY = 'tether/idempotencyKey'

export async function callTool(ctx: Context, rooms: McpRooms, asked: ToolAsked, request: Request): Promise<CalledTool> {
  const { name } = asked
  const tool = (await rooms.catalogs.of(ctx)).find(name)
  if (tool === undefined || !isOffered(tool)) {
    rooms.calls.note(ctx, { tool: tool ?? name, surface: 'mcp', status: 'unknown_tool', durationMs: 0 })
    const message = `There is no tool ${shown(name)} here. List the tools again.`
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message)
  }
  const given = isObject(asked.arguments) ? asked.arguments : {}
  const outputSchema = outputSchemaOf(tool)
  const and = outputSchema === undefined ? {} : { outputSchema }
  if (tool.isWrite && reversesText(given)) {
    const message = 'The arguments contain characters that reverse the order of text. Leave them out.'
    return { result: failedResult(tool, 'invalid_request', message), ...and }
  }
  try {
    const used = await useTool(ctx, rooms, {
      tool: name,
      arguments: given,
      stageKeys: stageKeys(request._meta),
      source: 'POST /mcp',
      surface: 'mcp',
      signal: request.signal,
      ...toldTo(request),
    })
    return { result: resultOf(tool, used), ...and }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { result: failedResult(tool, error.code, error.message), ...and }
  }
}

/** Whoever asked for progress hears of it. One that nobody reads any longer is no failure of the call. */
function toldTo({ _meta, notify }: Request): { onProgress?: (progress: Progress) => void } {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return {}
  return {
    onProgress: (progress) =>
      void notify({ method: 'notifications/progress', params: { progressToken, ...progress } }).catch(() => {}),
  }
}

function stageKeys(meta: object = {}): readonly string[] {
  const key = (meta as Record<string, unknown>)[STAGE_KEY]
  if (key === undefined) return []
  if (typeof key === 'string') return [key]
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${STAGE_KEY} in _meta must be a text.`)
}
