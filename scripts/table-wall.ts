// Who writes which table: read from the SQL itself with PostgreSQL's own parser.
import { commandsOf, findAll, listAt, nodeAt, textAt } from './sql-tree.ts'
import type { Change, Guest } from './tables.ts'

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

export type Declared = { readonly name: string; readonly text: string; readonly room: string }

export type Rules = {
  readonly owners: Readonly<Record<string, string>>
  readonly guests: readonly Guest[]
  /** A room whose statements of this name delete in every table. */
  readonly eraser: { readonly room: string; readonly statement: string }
}

export function tableFaults(declared: readonly Declared[], tables: readonly string[], rules: Rules): string[] {
  const { owners, guests, eraser } = rules
  const used = new Set<string>()
  const mayWrite = ({ name, room }: Declared, { table, change }: Write): boolean => {
    if (owners[table] === room) return true
    if (room === eraser.room && name.startsWith(eraser.statement)) return change === 'delete'
    const guest = guests.find((one) => one.table === table && one.room === room && one.may.includes(change))
    if (guest !== undefined) used.add(`${table} ${room} ${change}`)
    return guest !== undefined
  }
  const broken = declared.flatMap((one) =>
    writesOf(one.text)
      .filter((write) => !mayWrite(one, write))
      .map((write) => fault(one, write, owners)),
  )
  return [
    ...tables
      .filter((table) => owners[table] === undefined)
      .map((table) => `The table ${table} belongs to nobody: name its room in server/migrations/tables.ts.`),
    ...Object.keys(owners)
      .filter((table) => !tables.includes(table))
      .map((table) => `No migration makes the table ${table}: take it out of server/migrations/tables.ts.`),
    ...new Set(broken),
    ...guests.flatMap(({ table, room, may }) =>
      may
        .filter((change) => !used.has(`${table} ${room} ${change}`))
        .map((change) => `Nothing in ${room} does ${change} in ${table}: take that out of scripts/tables.ts.`),
    ),
  ]
}

function fault({ name, room }: Declared, { table, change }: Write, owners: Rules['owners']): string {
  const whose = owners[table] === undefined ? 'which belongs to nobody' : `which belongs to ${owners[table]}`
  return `SQL "${name}" of ${room} does ${change} in ${table}, ${whose}: let that room do it, or say why in scripts/tables.ts.`
}

/** The page's table of who writes in another room's table. */
export function guestTable(guests: readonly Guest[], owners: Rules['owners']): string {
  const rows = guests.map(({ table, room, may, why }, at) => {
    const whose = guests[at - 1]?.table === table ? '' : ` \`${table}\` of ${owners[table]}`
    return `|${whose} | ${room} | ${may.join(', ')} | ${why} |`
  })
  return ['| table | who else | does | because |', '|---|---|---|---|', ...rows].join('\n')
}
