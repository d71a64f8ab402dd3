import type { CallToolResult } from '@modelcontextprotocol/client'
import { type Json, parseJson } from '../../kernel/json/index.ts'
import { onOneLine, storableText } from '../../kernel/text/index.ts'
import { resultOverHttp, type SendResult, type ToolCall } from '../../tools/calls/index.ts'
import { faultIn } from './fault-in.ts'
import type { Opened } from './opened.ts'

// What a call of an MCP server came to, in the words of the port. Where it is not certain, it errs towards "it may have been
// performed".

export const notReady = (message: string): SendResult => ({ kind: 'not_ready', status: 'failed', message })

const answered = (status: number, value: Json): Extract<SendResult, { kind: 'answered' }> => ({
  kind: 'answered',
  status,
  headers: {},
  body: Buffer.from(JSON.stringify(value)),
})

const unclear = (message: string): SendResult => ({ kind: 'lost', cause: 'unreadable', status: null, message })

export function answeredBy(result: CallToolResult, mode: ToolCall['mode'], fits: boolean): SendResult {
  const { content, structuredContent, isError } = result
  // A tool that failed may have done a part of its work: servers turn every exception into such an answer.
  if (isError === true) return unclear(`The server says that the call failed: ${quoted(textsOf(result))}`)
  if (!fits && mode === 'read') return unclear('The answer does not fit the schema that the server declared for it.')
  // The cast is true because the client read both from JSON.
  const blocks = content as unknown as readonly Json[]
  const structured = structuredContent as Json | undefined
  const proxied = { content: blocks, ...(structured === undefined ? {} : { structured }) }
  return { ...answered(200, structured ?? valueIn(result, blocks)), proxied }
}

/** What an answer without structure means: its text, as JSON where it is some, or all of it where it is more than text. */
function valueIn(result: CallToolResult, blocks: readonly Json[]): Json {
  if (result.content.some(({ type }) => type !== 'text')) return { content: [...blocks] }
  const text = textsOf(result)
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return parseJson(text)
  } catch {
    return text
  }
}

const textsOf = ({ content }: CallToolResult): string =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')

const LONGEST_QUOTE = 500
const quoted = (text: string): string => `"${onOneLine(storableText(text.trim().slice(0, LONGEST_QUOTE)))}"`

type Failed = Extract<Opened<unknown>, { ok: false }>

/** JSON-RPC says of these that the call was never made: no such method or tool, or arguments that do not fit. */
const NEVER_MADE = new Set([-32600, -32601, -32602, -32020, -32021, -32022])

export function failedBy({ error, message, tracked }: Failed, signal: AbortSignal | undefined): SendResult {
  const { begun, sent, status, fault } = tracked
  const code = codeOf(error)
  if (!begun) return beforeTheCall(error, message, signal)
  if (fault !== null) return resultOverHttp({ ...fault, sent: sent || fault.sent })
  if (code !== null)
    return NEVER_MADE.has(code) ? refused(message) : unclear(`The server answered with an error: ${quoted(message)}`)
  if (status !== null && status >= 400) return { ...answered(status, null), body: NO_BODY }
  if (signal?.aborted === true) return { kind: 'lost', cause: 'canceled', status, message: 'The call was given up.' }
  return { kind: 'lost', cause: message.includes('in time') ? 'timed_out' : 'unreadable', status, message }
}

const NO_BODY = Buffer.from('{}')

const refused = (message: string): SendResult => answered(400, { message })

const codeOf = (error: unknown): number | null => {
  const { code } = error as { code?: unknown }
  return typeof code === 'number' ? code : null
}

/** The handshake or the look before it went wrong, so nothing of the call itself was sent. */
function beforeTheCall(error: unknown, message: string, signal: AbortSignal | undefined): SendResult {
  const fault = faultIn(error)
  if (fault !== null) return resultOverHttp({ ...fault, sent: false })
  const { status } = error as { status?: unknown }
  if (typeof status === 'number' && status < 500) return notReady(`${message} Nothing was called.`)
  const cause = signal?.aborted === true ? 'canceled' : message.includes('in time') ? 'timed_out' : 'unreachable'
  return { kind: 'not_sent', cause, status: null, message }
}
