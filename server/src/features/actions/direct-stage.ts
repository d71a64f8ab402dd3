import type { Answer } from '../../foundation/http/index.ts'
import { isObject, type JsonObject, stringifyJson } from '../../foundation/json/index.ts'
import type { Context } from '../../ground/context/index.ts'
import type { Calls } from '../calls/index.ts'
import { type Catalog, checkArguments, type Tool, writtenCheck } from '../catalog/index.ts'
import { type Staged, type StageInput, stage } from './stage.ts'

type Request = {
  readonly tool: string
  readonly arguments?: unknown
  readonly rationale?: string | undefined
  readonly approverUserId?: number | undefined
}

/** A tenant's own server proposes a write. */
export async function stageByRequest(
  ctx: Context,
  calls: Calls,
  catalog: Catalog,
  request: Request,
  how: Pick<StageInput, 'source' | 'stageKey'>,
): Promise<Answer> {
  const toolName = request.tool
  const tool = catalog.find(toolName)
  if (tool === undefined) {
    return notStaged(404, {
      status: 'unknown_tool',
      toolName,
      message: `There is no tool "${toolName.slice(0, 64)}" in the catalog.`,
    })
  }
  if (!tool.isWrite) {
    const message = `"${toolName}" is a read: call it with POST /v1/tools/${toolName}/call. Only writes are staged.`
    return notStaged(400, { status: 'invalid_request', toolName, message })
  }
  const given = isObject(request.arguments) ? request.arguments : {}
  const checked = checkArguments(tool, given)
  if (!checked.ok) return notStaged(400, { status: 'invalid_request', toolName, message: checked.message })
  return await stageChecked(ctx, calls, {
    tool,
    arguments: given,
    catalog,
    rationale: request.rationale ?? null,
    approverUserId: request.approverUserId ?? null,
    ...how,
  })
}

/** The same for a tool and arguments that were checked already. */
export async function stageChecked(ctx: Context, calls: Calls, input: StageInput): Promise<Answer> {
  const { tool } = input
  if (tool.requiresCustomer && ctx.asking.customer === null) {
    const message = 'This tool acts for a signed-in customer: send X-Service-Customer-Token. Nothing was staged.'
    return notStaged(403, { status: 'customer_required', toolName: tool.name, message })
  }
  return presented(tool, input.arguments, await stage(ctx, calls, input))
}

function presented(tool: Tool, given: JsonObject, staged: Staged): Answer {
  if (staged.kind !== 'staged') return unmet(tool, staged)
  const { actionId, token, expiresAt, summary } = staged
  const preview = {
    status: 'preview' as const,
    toolName: tool.name,
    actionId,
    expiresAt: expiresAt.toISOString(),
    summary,
  }
  const resultJson = stringifyJson({ ...preview, arguments: given })
  return { status: 200, body: { ...preview, confirmationToken: token, resultJson } }
}

function unmet(tool: Tool, { kind, checked }: Extract<Staged, { checked: unknown }>): Answer {
  const asked = tool.precondition
  const check = asked === null ? null : { tool: asked.tool, ...writtenCheck(asked.check) }
  const result = checked.kind === 'unreadable' ? null : checked.result
  const resultJson = stringifyJson({ reason: checked.reason, check, result })
  const message = `${checked.reason} Nothing was staged.`
  return notStaged(
    kind === 'precondition_failed' ? 409 : 502,
    { status: kind, toolName: tool.name, message },
    resultJson,
  )
}

function notStaged(
  http: number,
  said: { status: string; toolName: string; message: string },
  resultJson = '{}',
): Answer {
  return {
    status: http,
    body: { ...said, actionId: null, resultJson, error: { code: said.status, message: said.message } },
  }
}
