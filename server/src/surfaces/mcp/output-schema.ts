import type { Tool } from '../../features/catalog/index.ts'
import type { JsonObject } from '../../foundation/json/index.ts'

const text = (description: string): JsonObject => ({ type: 'string', description })

/** What the call of a write answers, whichever write it is. */
const STAGED: JsonObject = {
  type: 'object',
  properties: {
    status: text('"staged" if the write now waits for a person. Anything else: nothing was staged.'),
    message: text('What happened, and what to do next.'),
    waitsForPerson: { type: 'boolean', description: 'True if a person has to confirm it before anything runs.' },
    actionId: text('For tether_action_status.'),
    tool: text('The tool that would run.'),
    summary: text('What would be done, as the person reads it.'),
    risk: text('low, elevated or high.'),
    expiresAt: text('Until when it can be confirmed.'),
  },
  required: ['status', 'message', 'waitsForPerson'],
}

/** Undefined where nobody said what the tool answers. */
export const outputSchemaOf = (tool: Tool): JsonObject | undefined => (tool.isWrite ? STAGED : undefined)
