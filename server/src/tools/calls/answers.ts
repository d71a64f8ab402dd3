import type { Answer } from '../../kernel/http/index.ts'
import { type Json, type RawJson, rawJson } from '../../kernel/json/index.ts'
import { type Tool, trimResult } from '../catalog/index.ts'
import type { ReadResult } from './calls.ts'

/** How a read ended, over HTTP: 200 for everything that happened where it was made. */
export function readAnswer(tool: Tool, result: ReadResult): Answer {
  const { status, durationMs } = result
  const head = { status, toolName: tool.name }
  if (result.status === 'ok') return { status: 200, body: { ...head, ...shownResult(tool, result), durationMs } }
  const { message, lastStatus } = result
  if (status === 'user_token_required') return { status: 403, body: { ...head, message } }
  const last = lastStatus === null ? {} : { lastStatus }
  return { status: 200, body: { ...head, result: null, message, ...last, durationMs } }
}

/** The endpoint's own bytes are the result, unless the tool trims it: numbers and members stand as the business wrote them. */
function shownResult(
  tool: Tool,
  { body, value, nextPage }: Extract<ReadResult, { status: 'ok' }>,
): { result: Json | RawJson | null; notice?: string } {
  const shown = tool.result === null ? { value: jsonIn(body), notice: null } : trimResult(value, tool.result)
  const notice = [shown.notice, nextPage ?? null].filter((one) => one !== null).join(' ')
  return { result: shown.value, ...(notice === '' ? {} : { notice }) }
}

/** Null where there are no bytes. A byte order mark may stand before a text, but not inside another. */
export const jsonIn = (bytes: Buffer): RawJson | null =>
  bytes.length === 0 ? null : rawJson(new TextDecoder('utf-8').decode(bytes))
