// SQL as PostgreSQL's own parser reads it: a tree of plain objects, and how the walls look into it.
import { loadModule, parseSync } from 'libpg-query'

await loadModule()

export type Node = { readonly [member: string]: unknown }

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const nodeAt = (node: Node | undefined, ...path: string[]): Node | undefined => {
  let found: unknown = node
  for (const step of path) found = isNode(found) ? found[step] : undefined
  return isNode(found) ? found : undefined
}
export const listAt = (node: Node | undefined, member: string): Node[] => {
  const list = node?.[member]
  return Array.isArray(list) ? list.filter(isNode) : []
}
export const textAt = (node: Node | undefined, member: string): string => String(node?.[member] ?? '')

/** The commands of a text; a declared statement has one, a migration many. */
export const commandsOf = (text: string): Node[] =>
  (parseSync(text).stmts ?? []).flatMap(({ stmt }) => (isNode(stmt) ? [stmt] : []))

/** Every node below this one that has the member, however deep, with what stands there. */
export function findAll(value: unknown, member: string): Node[] {
  if (Array.isArray(value)) return value.flatMap((one) => findAll(one, member))
  if (!isNode(value)) return []
  const here = value[member]
  return [...(isNode(here) ? [here] : []), ...Object.values(value).flatMap((one) => findAll(one, member))]
}

export type CreatedTable = { readonly name: string; readonly columns: readonly string[] }

/** The tables that a migration makes. A part of one is not a table of its own. */
export const tablesMadeBy = (migration: string): CreatedTable[] =>
  commandsOf(migration).flatMap((command) => {
    const create = nodeAt(command, 'CreateStmt')
    if (create === undefined || create.partbound !== undefined) return []
    const columns = listAt(create, 'tableElts').map((element) => textAt(nodeAt(element, 'ColumnDef'), 'colname'))
    return [{ name: textAt(nodeAt(create, 'relation'), 'relname'), columns }]
  })
