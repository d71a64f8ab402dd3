import type { CallToolResult } from '@modelcontextprotocol/server'
import { type Json, stringifyJson } from '../../kernel/json/index.ts'
import type { Proxied } from '../../tools/calls/index.ts'
import { actionStatusName, type Tool, trimResult } from '../../tools/catalog/index.ts'
import type { UseToolResult } from '../../writes/actions/index.ts'
import { titleOf } from '../../writes/writes/index.ts'
import { outputSchemaOf } from './output-schema.ts'

// What a use of a tool comes to, as the protocol says it: words for a model, and the same as structure.

type Called = Extract<UseToolResult, { kind: 'called' }>
type Staged = Extract<UseToolResult, { kind: 'staged' }>
type Unmet = Extract<UseToolResult, { kind: 'precondition_failed' | 'precondition_error' }>

export function resultOf(tool: Tool, used: UseToolResult): CallToolResult {
  switch (used.kind) {
    case 'called':
      return readResult(tool, used)
    case 'staged':
      return stagedResult(used)
    case 'precondition_failed':
    case 'precondition_error':
      return unmetResult(tool, used)
    default:
      return failedResult(tool, used.kind === 'full' ? 'rate_limited' : used.kind, used.message)
  }
}

const words = (text: string) => ({ type: 'text' as const, text })

function readResult(tool: Tool, { result }: Called): CallToolResult {
  if (result.status !== 'ok') {
    const { status, message, lastStatus } = result
    return failedResult(tool, status, message, lastStatus === null ? {} : { lastStatus })
  }
  // Pictures, sounds and resources pass through as they came.
  if (result.proxied !== undefined && tool.result === null) return proxiedResult(result.proxied)
  if (tool.result === null) return { content: [words(textOf(result.body))], structuredContent: result.value }
  const { value, notice } = trimResult(result.value, tool.result)
  const content = [words(stringifyJson(value)), ...(notice === null ? [] : [words(notice)])]
  return { content, structuredContent: value }
}

/** The casts are true because an MCP server's client read the blocks as such. */
const proxiedResult = ({ content, structured }: Proxied): CallToolResult => ({
  content: content as unknown as CallToolResult['content'],
  ...(structured === undefined ? {} : { structuredContent: structured }),
})

/** The endpoint's own bytes: numbers and members stand as the business wrote them. */
const textOf = (body: Buffer): string => (body.length === 0 ? 'null' : new TextDecoder('utf-8').decode(body))

/** The token of the action stays here: whoever proposes a write must not be able to confirm it. */
function stagedResult({ tool, actionId, summary, expiresAt }: Staged): CallToolResult {
  const until = expiresAt.toISOString()
  const message =
    `Proposed, not done: "${summary}". It waits until ${until} for a person at the business to confirm it. ` +
    `Tell the user so, and never say that it is done. To find out its outcome, call ${actionStatusName} with the action id ${actionId}.`
  return {
    content: [words(message)],
    structuredContent: {
      status: 'staged',
      message,
      waitsForPerson: true,
      actionId,
      tool: tool.name,
      title: titleOf(tool),
      summary,
      risk: tool.risk,
      expiresAt: until,
    },
  }
}

function unmetResult(tool: Tool, { kind, checked }: Unmet): CallToolResult {
  const seen = checked.kind === 'unreadable' ? {} : { seen: checked.result }
  return failedResult(tool, kind, `${checked.reason} Nothing was staged.`, seen)
}

/** Clients hold the structure beside an error to the tool's schema, too. Where that is somebody else's, there is none. */
export function failedResult(
  tool: Tool,
  status: string,
  message: string,
  more: { readonly [member: string]: Json } = {},
): CallToolResult {
  const said = { isError: true, content: [words(message)] }
  if (tool.isWrite) return { ...said, structuredContent: { status, message, waitsForPerson: false, ...more } }
  return outputSchemaOf(tool) === undefined ? { ...said, structuredContent: { status, message, ...more } } : said
}
