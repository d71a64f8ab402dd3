import { sha256Hex } from '../../kernel/crypto/index.ts'
import { isObject, type JsonObject, member } from '../../kernel/json/index.ts'
import type { Catalog, Tool } from '../../tools/catalog/index.ts'
import { placeKey } from './document/names.ts'
import type { Operation } from './document/operations.ts'
import { textOf } from './document/reading.ts'
import type { InputType } from './input-type.ts'

/** Where an operation of the document is, beside its name. */
export type Listed = { readonly name: string; readonly method: string; readonly path: string }
export type Changes = {
  readonly added: Listed[]
  readonly removed: Listed[]
  readonly changed: Listed[]
}

/** What an imported tool remembers of its operation, beside its binding. */
export const memoryOf = (operation: Operation, typeOf: InputType): JsonObject => ({
  path: operation.path,
  hash: hashOf(operation, typeOf),
})

const memoryOfTool = (tool: Tool): JsonObject => {
  const http = member(tool.raw, 'http')
  const memory = isObject(http) ? member(http, 'operation') : undefined
  return isObject(memory) ? memory : {}
}

/** The tools of the catalog that came from a document, by method and path as the document writes them. */
export function importedTools({ tools }: Catalog): Map<string, Tool> {
  const found = new Map<string, Tool>()
  for (const tool of tools) {
    if (tool.http === null) continue
    const path = textOf(memoryOfTool(tool), 'path') || tool.http.path
    found.set(placeKey(tool.http.method, path), tool)
  }
  return found
}

/** What the document would change in the catalog. An operation has changed where its words or its inputs have. */
export function changesAgainst(
  registered: ReadonlyMap<string, Tool>,
  operations: readonly Operation[],
  typeOf: InputType,
): Changes {
  const changes: Changes = { added: [], removed: [], changed: [] }
  const present = new Set<string>()
  for (const operation of operations) {
    const key = placeKey(operation.method, operation.path)
    present.add(key)
    const tool = registered.get(key)
    if (tool === undefined) changes.added.push(listed(operation))
    else if (textOf(memoryOfTool(tool), 'hash') !== hashOf(operation, typeOf)) changes.changed.push(listed(operation))
  }
  for (const [key, { name, http }] of registered) {
    if (!present.has(key) && http !== null)
      changes.removed.push({ name, method: http.method, path: key.slice(http.method.length + 1) })
  }
  return changes
}

export const listed = ({ name, method, path }: Listed): Listed => ({ name, method, path })

/** Of what a person declared the operation by: its words and its inputs, as far as the draft shows them. */
function hashOf({ description, inputs, body }: Operation, typeOf: InputType): string {
  const shown = inputs.map((input) => [input.argument, input.place, input.required, input.description, typeOf(input)])
  return sha256Hex(JSON.stringify([description, body.mediaType ?? body.kind, shown])).slice(0, 16)
}
