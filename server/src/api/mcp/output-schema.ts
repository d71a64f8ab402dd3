import { isObject, type JsonObject, member } from '../../kernel/json/index.ts'
import type { Tool } from '../../tools/catalog/index.ts'

const text = (description: string): JsonObject => ({ type: 'string', description })

/** What the call of a write answers, whichever write it is. */
const STAGED: JsonObject = {
  type: 'object',
  properties: {
    status: text('"staged" if the write is waiting for a person. With any other value, nothing was staged.'),
    message: text('What happened and what to do next.'),
    waitsForPerson: { type: 'boolean', description: 'True if a person has to confirm the write before anything runs.' },
    actionId: text('The id to pass to tether_action_status.'),
    tool: text('The tool that would run.'),
    summary: text('The proposed change, as shown to the person who decides.'),
    risk: text('low, elevated or high.'),
    expiresAt: text('The time until which a person can confirm it.'),
  },
  required: ['status', 'message', 'waitsForPerson'],
}

/** Undefined where nobody said what the tool answers. A result that is trimmed is no longer what its server said of it. */
export function outputSchemaOf(tool: Tool): JsonObject | undefined {
  if (tool.isWrite) return STAGED
  const said = tool.upstream && tool.result === null ? member(tool.raw, 'output_schema') : undefined
  return isObject(said) ? said : undefined
}
