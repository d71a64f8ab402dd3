// Who writes which table: read from the SQL itself with PostgreSQL's own parser.
import type { Declaration } from '../server/src/kernel/db/index.ts'
import { commandsOf, findAll, listAt, nodeAt, textAt } from './sql-tree.ts'

type Change = 'insert' | 'update' | 'delete'
export type Write = { readonly table: string; readonly change: Change }

/** What a text changes. An insert that updates the row that it meets does both. */
export function writesOf(text: string): Write[] {
  const commands = commandsOf(text)
  const of = (kind: string, change: Change) =>
    findAll(commands, kind).map((level) => ({ table: textAt(nodeAt(level, 'relation'), 'relname'), change }))
  const upserted = findAll(commands, 'InsertStmt').filter(
    (insert) => nodeAt(insert, 'onConflictClause')?.action === 'ONCONFLICT_UPDATE',
  )
  return [
    ...of('InsertStmt', 'insert'),
    ...of('UpdateStmt', 'update'),
    ...of('DeleteStmt', 'delete'),
    ...upserted.map((insert) => ({ table: textAt(nodeAt(insert, 'relation'), 'relname'), change: 'update' as const })),
  ]
}

/** The columns that each insert into a table names. */
export const insertedColumns = (text: string, table: string): string[] =>
  findAll(commandsOf(text), 'InsertStmt')
    .filter((insert) => textAt(nodeAt(insert, 'relation'), 'relname') === table)
    .map((insert) =>
      listAt(insert, 'cols')
        .map((column) => textAt(nodeAt(column, 'ResTarget'), 'name'))
        .join(', '),
    )

export type Declared = { readonly name: string; readonly text: string; readonly room: string } & Declaration

type Tables = Readonly<Record<string, { readonly owner: string; readonly wakes?: string }>>

/** The owner of each table writes it in every way. A statement of another room says which tables it writes besides, and why. */
export function tableFaults(declared: readonly Declared[], tables: Tables): string[] {
  return declared.flatMap(({ name, room, text, guest = {}, wakes = [] }) => {
    const writes = writesOf(text)
    const foreign = new Set(writes.map(({ table }) => table).filter((table) => tables[table]?.owner !== room))
    const bells = new Set(
      writes.flatMap(({ table, change }) => (change === 'insert' ? (tables[table]?.wakes ?? []) : [])),
    )
    return [
      ...[...foreign]
        .filter((table) => guest[table] === undefined)
        .map(
          (table) =>
            `SQL "${name}" of ${room} writes ${table}, which belongs to ${tables[table]?.owner ?? 'nobody'}: let that room do it, or declare the reason as its guest.`,
        ),
      ...Object.keys(guest)
        .filter((table) => !foreign.has(table))
        .map((table) => `SQL "${name}" is no guest of ${table}: take that out of its declaration.`),
      ...[...bells]
        .filter((bell) => !wakes.includes(bell))
        .map((bell) => `SQL "${name}" makes work for the bell "${bell}": declare that it wakes it.`),
    ]
  })
}

/** Whether each table has an owner, and each owner its table. */
export function ownerFaults(made: readonly string[], tables: Tables): string[] {
  return [
    ...made
      .filter((table) => tables[table] === undefined)
      .map((table) => `The table ${table} belongs to nobody: name its room in server/migrations/tables.ts.`),
    ...Object.keys(tables)
      .filter((table) => !made.includes(table))
      .map((table) => `No migration makes the table ${table}: take it out of server/migrations/tables.ts.`),
  ]
}
