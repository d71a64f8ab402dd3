import { isObject, type JsonObject, parseJson } from '../../../kernel/json/index.ts'
import { type Context, userIdOf } from '../../../tenancy/context/index.ts'
import type { Destination, OnBehalf } from '../../../tools/calls/index.ts'
import type { Catalog, Tool } from '../../../tools/catalog/index.ts'
import type { CausedBy } from '../../audit/index.ts'
import { type Conclusion, concluded } from '../conclusion.ts'
import type { ActionRow } from '../queries.ts'

/** One execution: the action, what the catalog says of its tool now, and in whose name. */
export type Execution = {
  readonly action: ActionRow
  readonly tool: Tool
  readonly arguments: JsonObject
  readonly catalog: Catalog
  /** Where it goes, as the confirm found it: the write is sent there or nowhere. */
  readonly destination: Destination
  readonly userId: number
  /** Of the registered person who decides, or 0. */
  readonly personId: number
  readonly source: string
}

export const causedBy = ({ userId, personId, source }: Execution): CausedBy => ({ userId, personId, source })

/** Step 4. The catalog must still have this write. */
export const writeOf = (catalog: Catalog, { tool: name }: ActionRow): Tool | undefined => {
  const tool = catalog.find(name)
  return tool?.isWrite === true ? tool : undefined
}

export const handlerMissing = (message: string): Conclusion =>
  concluded('HandlerMissing', 'HANDLER_NOT_REGISTERED', message)

/** The staged arguments are JSON that we wrote ourselves. */
export function storedArguments(action: Pick<ActionRow, 'actionId' | 'arguments'>): JsonObject {
  const value = parseJson(action.arguments)
  return isObject(value) ? value : {}
}

/** Scope and customer are those of the staging: a header at confirm changes neither. */
export const onBehalfOfAction = ({ asking }: Context, action: ActionRow, userId: number): OnBehalf => ({
  scopeId: action.scopeId,
  customerId: action.subject,
  userId: userIdOf(userId),
  userRole: asking.actor.role,
})
