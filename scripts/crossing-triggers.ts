// Which triggers write a table of another owner than the table they stand on, read from the functions in the database.
import { parsePlPgSQLSync } from 'libpg-query'
import { findAll, textAt } from './sql-tree.ts'
import { writesOf } from './table-wall.ts'

export type Trigger = { readonly name: string; readonly on: string; readonly calls: string }
export type DatabaseFunction = {
  readonly name: string
  readonly language: string
  readonly body: string
  /** The whole `create function`. */
  readonly definition: string
}
type Crossing = { readonly name: string; readonly on: string; readonly writes: readonly string[] }

// The parser cannot see the tables of dynamic SQL. No trigger may list this as a table.
const DYNAMIC = 'dynamic SQL'

/** Sorted by name. The writes include those of functions that the trigger's function calls. */
export function crossingTriggers(
  triggers: readonly Trigger[],
  functions: readonly DatabaseFunction[],
  owners: Readonly<Record<string, { readonly owner: string }>>,
): Crossing[] {
  const ownerOf = (table: string) => owners[table]?.owner ?? table
  return triggers
    .map(({ name, on, calls }) => {
      const written = reachableFrom(calls, functions).flatMap(tablesWrittenBy)
      const writes = [...new Set(written)].filter((table) => ownerOf(table) !== ownerOf(on)).toSorted()
      return { name, on, writes }
    })
    .filter(({ writes }) => writes.length > 0)
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

function reachableFrom(first: string, functions: readonly DatabaseFunction[]): DatabaseFunction[] {
  const reached = new Set(functions.filter(({ name }) => name === first))
  // A set visits what is added during the loop.
  for (const { body } of reached)
    for (const one of functions) if (new RegExp(`\\b${one.name}\\s*\\(`).test(body)) reached.add(one)
  return [...reached]
}

function tablesWrittenBy({ language, body, definition }: DatabaseFunction): string[] {
  if (language === 'sql') return writesOf(body).map(({ table }) => table)
  const parsed = parsePlPgSQLSync(definition)
  // Mode 0 is a whole statement. The others are expressions and assignments, which write no table.
  const statements = findAll(parsed, 'PLpgSQL_expr').filter(({ parseMode }) => parseMode === 0)
  const isDynamic =
    [...findAll(parsed, 'PLpgSQL_stmt_dynexecute'), ...findAll(parsed, 'PLpgSQL_stmt_dynfors')].length > 0
  return [
    ...statements.flatMap((one) => writesOf(textAt(one, 'query'))).map(({ table }) => table),
    ...(isDynamic ? [DYNAMIC] : []),
  ]
}
