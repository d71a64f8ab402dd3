import type { Client } from '@modelcontextprotocol/client'
import { isObject, type Json, type JsonObject } from '../../foundation/json/index.ts'
import type { RemoteTool } from './declared-tool.ts'
import { LONGEST_DESCRIPTION, MOST_TOOLS } from './limits.ts'

export type Looked = {
  readonly tools: readonly RemoteTool[]
  /** Names of tools that cannot be taken, whatever is declared of them. */
  readonly unusable: readonly string[]
}

// As the protocol advises, and beginning as nothing of JavaScript's own does.
const NAME = /^[A-Za-z0-9][\w./-]{0,127}$/

/** What a server offers now. All of it is somebody else's word: bounded here, and judged by whoever declares it. */
export async function toolsOf(
  client: Client,
  options: { readonly timeout: number; readonly signal: AbortSignal },
): Promise<Looked> {
  const { tools } = await client.listTools(undefined, options)
  const found: RemoteTool[] = []
  const unusable: string[] = []
  for (const tool of tools) {
    const { name, description = '', inputSchema, outputSchema } = tool
    if (found.length >= MOST_TOOLS || !NAME.test(name) || !isObject(inputSchema)) {
      unusable.push(name.slice(0, 128))
      continue
    }
    found.push({
      name,
      description: cleaned(description),
      inputSchema: inputSchema as JsonObject,
      outputSchema: isObject(outputSchema) ? (outputSchema as { [member: string]: Json }) : null,
    })
  }
  return { tools: found, unusable }
}

/** No database keeps NUL or half a character. */
const cleaned = (text: string): string =>
  text.slice(0, LONGEST_DESCRIPTION).replaceAll('\u0000', '').toWellFormed().trim()
