import { refuse } from '../../kernel/http/index.ts'
import { isObject, shown } from '../../kernel/json/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { type NotUsed, type Progress, type ReadResult, refuseUse } from '../../tools/calls/index.ts'
import type { Catalog, Tool } from '../../tools/catalog/index.ts'
import type { ActionRooms } from './rooms.ts'
import { type Staged, type StageInput, stage } from './stage.ts'

/** A tool to use, by name, as a request brings it: nothing about it has been checked. */
type ToolRequest = {
  readonly tool: string
  readonly arguments: unknown
  readonly rationale?: string | null | undefined
  readonly approverUserId?: number | null | undefined
  /** The caller's own keys for the staging, as they were sent; there may be one. */
  readonly stageKeys: readonly string[]
  /** The route or surface that the request came through, as the trail names it. */
  readonly source: string
}

export type StageResult = Staged | NotUsed
export type UseToolResult = StageResult | { readonly kind: 'called'; readonly tool: Tool; readonly result: ReadResult }

type ToolRooms = Pick<ActionRooms, 'catalogs' | 'calls'>

/** Stages a write for a caller who asks for no more than that: a read is refused. */
export async function stageByName(ctx: Context, rooms: ToolRooms, request: ToolRequest): Promise<StageResult> {
  return await noted(ctx, rooms, { ...request, surface: 'direct' }, stageWrite)
}

/** Uses a tool as it is declared: a read runs now, a write is staged and waits for a person. */
export const useTool = (ctx: Context, rooms: ToolRooms, request: UseRequest): Promise<UseToolResult> =>
  noted(ctx, rooms, request, readOrStage)

type UseRequest = ToolRequest & {
  readonly surface: string
  readonly signal: AbortSignal
  readonly onProgress?: (progress: Progress) => void
}

/** Records telemetry of a tool that was asked for and neither called nor staged. */
async function noted<Request extends ToolRequest & { readonly surface: string }, Result extends UseToolResult>(
  ctx: Context,
  rooms: ToolRooms,
  request: Request,
  use: (ctx: Context, rooms: ToolRooms, request: Request, catalog: Catalog) => Promise<Result>,
): Promise<Result> {
  const started = performance.now()
  const catalog = await rooms.catalogs.of(ctx)
  const result = await use(ctx, rooms, request, catalog)
  const { kind } = result
  if (kind === 'called' || kind === 'staged') return result
  const status = kind === 'invalid_request' || kind === 'body_too_large' || kind === 'full' ? 'failed' : kind
  rooms.calls.note(ctx, {
    tool: catalog.find(request.tool) ?? request.tool,
    surface: request.surface,
    status,
    durationMs: Math.round(performance.now() - started),
  })
  return result
}

async function stageWrite(
  ctx: Context,
  rooms: ToolRooms,
  request: ToolRequest,
  catalog: Catalog,
): Promise<StageResult> {
  const stageKey = stageKeyOf(request.stageKeys)
  const tool = catalog.find(request.tool)
  if (tool === undefined) return unknownTool(request)
  if (!tool.isWrite) {
    const message = `"${tool.name}" is a read: call it with POST /v1/tools/${tool.name}/call. Only writes are staged.`
    return { kind: 'invalid_request', toolName: tool.name, message }
  }
  const input = stageInputOf(request, tool, catalog)
  return (await refused(ctx, rooms, input)) ?? (await stage(ctx, rooms.calls, { ...input, stageKey }))
}

async function readOrStage(
  ctx: Context,
  rooms: ToolRooms,
  request: UseRequest,
  catalog: Catalog,
): Promise<UseToolResult> {
  const tool = catalog.find(request.tool)
  if (tool === undefined) return unknownTool(request)
  const input = stageInputOf(request, tool, catalog)
  const notUsed = await refused(ctx, rooms, input)
  if (notUsed !== null) return notUsed
  if (tool.isWrite) return await stage(ctx, rooms.calls, { ...input, stageKey: stageKeyOf(request.stageKeys) })
  const { surface, signal, onProgress } = request
  const result = await rooms.calls.read(ctx, { tool, arguments: input.arguments, surface, onProgress }, signal)
  return { kind: 'called', tool, result }
}

const refused = (ctx: Context, { calls }: ToolRooms, { tool, arguments: given }: StageInput): Promise<NotUsed | null> =>
  refuseUse(ctx, calls, { tool, given, hasCustomer: ctx.asking.customer !== null })

const stageInputOf = (
  { source, rationale = null, approverUserId = null, arguments: given }: ToolRequest,
  tool: Tool,
  catalog: Catalog,
): StageInput => ({ tool, arguments: isObject(given) ? given : {}, catalog, source, rationale, approverUserId })

const unknownTool = ({ tool }: ToolRequest): NotUsed => ({
  kind: 'unknown_tool',
  toolName: tool,
  message: `There is no tool ${shown(tool)} in the catalog. GET /v1/tools lists them.`,
})

/** The caller's own key for a staging; null where none was sent. */
function stageKeyOf([key, ...others]: readonly string[]): string | null {
  if (key === undefined) return null
  if (others.length > 0 || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw refuse('invalid_request', 'Idempotency-Key must be 1 to 255 printable ASCII characters, sent once.')
  }
  return key
}
