import { inTurns, isObject, type JsonObject, measureJson, turnOf, type Work } from '../../kernel/json/index.ts'
import { storableText } from '../../kernel/text/index.ts'
import type { Redact } from '../../tools/calls/index.ts'
import { hashOf, type RemoteTool } from './declared-tool.ts'
import { LARGEST_TOOL, LONGEST_DESCRIPTION, MOST_TOOLS } from './limits.ts'
import type { Session } from './open-server.ts'
import { redacted } from './redacted.ts'

export type Looked = {
  readonly tools: readonly RemoteTool[]
  /** Names of tools that cannot be taken, whatever is declared of them. */
  readonly unusable: readonly string[]
}

// As the protocol advises, and beginning as nothing of JavaScript's own does.
const NAME = /^[A-Za-z0-9][\w./-]{0,127}$/

/** What a server offers now. All of it is somebody else's word: bounded here, and judged by whoever declares it. */
export async function toolsOf({ client, options, redact }: Session): Promise<Looked> {
  // Nothing is kept for a client that is closed afterwards.
  const { tools } = await client.listTools(undefined, { ...options, cacheMode: 'bypass' })
  return await inTurns(taken(tools, redact))
}

type Listed = {
  readonly name: string
  readonly description?: string | undefined
  readonly inputSchema: unknown
  readonly outputSchema?: unknown
}

/** As many characters of schemas are looked through in one turn. */
const TURN = 32 * 1024
/** A tool without a schema is work, too. */
const EACH = 256

function* taken(listed: readonly Listed[], redact: Redact): Work<Looked> {
  const tools: RemoteTool[] = []
  const unusable: string[] = []
  const isEnough = turnOf(TURN)
  for (const one of listed) {
    const { inputSchema, outputSchema = null } = one
    const measured = measureJson([inputSchema, outputSchema], LARGEST_TOOL)
    const tool = tools.length < MOST_TOOLS && measured.ok ? usable(one, redact) : null
    if (tool === null) unusable.push(storableText(redact.text(one.name.slice(0, LONGEST_DESCRIPTION)).slice(0, 128)))
    else tools.push({ ...tool, hash: hashOf(tool) })
    if (isEnough(EACH + (measured.ok ? measured.size : LARGEST_TOOL.maxSize))) yield
  }
  return { tools, unusable }
}

function usable({ name, description = '', inputSchema, outputSchema }: Listed, redact: Redact) {
  if (!NAME.test(name) || redact.text(name) !== name || !isObject(inputSchema)) return null
  return {
    name,
    description: cleaned(redact.text(description.slice(0, 2 * LONGEST_DESCRIPTION))),
    inputSchema: redactedSchema(inputSchema, redact),
    outputSchema: isObject(outputSchema) ? redactedSchema(outputSchema, redact) : null,
  }
}

/** The cast is true because an object stays one. */
const redactedSchema = (schema: JsonObject, redact: Redact): JsonObject => redacted(schema, redact) as JsonObject

const cleaned = (text: string): string => storableText(text.slice(0, LONGEST_DESCRIPTION)).trim()
