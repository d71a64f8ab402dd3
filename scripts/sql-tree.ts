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

/** The tables that exist after these migrations, applied in this order. A partition is not a table of its own. */
export function tablesAfter(migrations: readonly string[]): CreatedTable[] {
  const tables = new Map<string, CreatedTable>()
  for (const command of migrations.flatMap(commandsOf)) {
    const created = createdTable(command, tables)
    if (created !== undefined) tables.set(created.name, created)
    for (const name of droppedTables(command)) tables.delete(name)
  }
  return [...tables.values()]
}

function createdTable(command: Node, earlier: ReadonlyMap<string, CreatedTable>): CreatedTable | undefined {
  const create = nodeAt(command, 'CreateStmt')
  if (create === undefined || create.partbound !== undefined) return undefined
  const columns = listAt(create, 'tableElts').flatMap((element) => {
    const like = nodeAt(element, 'TableLikeClause')
    if (like === undefined) return [textAt(nodeAt(element, 'ColumnDef'), 'colname')]
    return earlier.get(textAt(nodeAt(like, 'relation'), 'relname'))?.columns ?? []
  })
  return { name: textAt(nodeAt(create, 'relation'), 'relname'), columns }
}

function droppedTables(command: Node): string[] {
  const drop = nodeAt(command, 'DropStmt')
  if (drop?.removeType !== 'OBJECT_TABLE') return []
  return listAt(drop, 'objects').map((object) =>
    textAt(nodeAt(listAt(nodeAt(object, 'List'), 'items').at(-1), 'String'), 'sval'),
  )
}
