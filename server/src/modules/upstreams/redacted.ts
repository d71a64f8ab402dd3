import type { CallToolResult } from '@modelcontextprotocol/client'
import { isObject, type Json, storableTexts } from '../../kernel/json/index.ts'
import { REDACTED, type Redact } from '../../tools/calls/index.ts'

/** A value of the server without what must not be repeated, in its texts, names and numbers, and with text that can be stored. */
export function redacted(said: Json, redact: Redact): Json {
  const value = storableTexts(said)
  const text = JSON.stringify(value)
  return redact.text(text) === text ? value : inside(value, redact)
}

function inside(value: Json, redact: Redact): Json {
  if (typeof value === 'string') return redact.text(value)
  if (typeof value === 'number') return redact.text(String(value)) === String(value) ? value : REDACTED
  if (Array.isArray(value)) return value.map((one) => inside(one, redact))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [redact.text(name), inside(one, redact)]))
}

/** What a call answered. The protocol's own names in it stand, whatever a credential may be. */
export function redactedResult(result: CallToolResult, redact: Redact): CallToolResult {
  const { content, structuredContent, isError } = storableTexts(result)
  // The casts are true because the client read both from JSON, and blocks keep their form.
  const structured = structuredContent as Json | undefined
  const blocks = content as unknown as readonly { readonly [member: string]: Json }[]
  const all = JSON.stringify(content)
  const clean = redact.text(all) === all ? blocks : blocks.map((block) => redactedBlock(block, redact))
  return {
    content: clean as unknown as CallToolResult['content'],
    ...(structured === undefined
      ? {}
      : { structuredContent: redacted(structured, redact) as typeof structuredContent }),
    ...(isError === undefined ? {} : { isError }),
  }
}

const redactedBlock = (block: { readonly [member: string]: Json }, redact: Redact) =>
  Object.fromEntries(
    Object.entries(block).map(([name, value]) => [name, name === 'type' ? value : redacted(value, redact)]),
  )
