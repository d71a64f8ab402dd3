// Which floor or module each room belongs to (server/floors.json). dependency-cruiser holds the imports to it, this file the SQL.
import { readdirSync, readFileSync } from 'node:fs'
import { findFiles } from './files.ts'
import { importsOf } from './import-graph.ts'
import { commandsOf, findAll, textAt } from './sql-tree.ts'
import { type Declared, writesOf } from './table-wall.ts'

type Exception = { readonly why: string }
export type Floors = {
  /** From the bottom up. */
  readonly floors: Readonly<Record<string, readonly string[]>>
  /** A module needs only modules that stand before it. */
  readonly modules: Readonly<Record<string, { readonly needs?: readonly string[]; readonly rooms: readonly string[] }>>
  /** What is still to be corrected. */
  readonly exceptions: {
    readonly imports: readonly (Exception & { readonly from: string; readonly to: string })[]
    readonly statements: readonly (Exception & { readonly statement: string; readonly table: string })[]
  }
}

const FLOORS = JSON.parse(readFileSync('server/floors.json', 'utf8')) as Floors

export const floorFaults = (declared: readonly Declared[], owners: Readonly<Record<string, { owner: string }>>) => [
  ...placeFaults(FLOORS, roomsOfServer()),
  ...importExceptionFaults(FLOORS),
  ...tableReadFaults(FLOORS, declared, owners),
]

const roomsOfServer = (): string[] => [
  ...['foundation', 'ground', 'features', 'surfaces'].flatMap((folder) =>
    readdirSync(`server/src/${folder}`, { withFileTypes: true })
      .filter((one) => one.isDirectory())
      .map((one) => `${folder}/${one.name}`),
  ),
  'settings',
]

/** Every room stands in one place, and every place has its rooms. */
export function placeFaults({ floors, modules }: Floors, rooms: readonly string[]): string[] {
  const placed = [...Object.values(floors), ...Object.values(modules).map((one) => one.rooms)].flat()
  const names = Object.keys(modules)
  return [
    ...rooms.filter((room) => !placed.includes(room)).map((room) => `${room}: name its floor or module.`),
    ...placed.filter((room) => !rooms.includes(room)).map((room) => `there is no room ${room}.`),
    ...placed.filter((room, at) => placed.indexOf(room) !== at).map((room) => `${room} stands in two places.`),
    ...names.flatMap((name, at) =>
      (modules[name]?.needs ?? [])
        .filter((needed) => !names.slice(0, at).includes(needed))
        .map((needed) => `the module ${name} needs ${needed}, which does not stand before it.`),
    ),
  ].map((fault) => `server/floors.json: ${fault}`)
}

function importExceptionFaults({ exceptions }: Floors): string[] {
  const isUsed = (from: string, to: string) =>
    findFiles(`server/src/${from}/**/*.ts`).some((file) =>
      importsOf(file).some((one) => one.startsWith(`server/src/${to}/`)),
    )
  return exceptions.imports
    .filter(({ from, to }) => !isUsed(from, to))
    .map(({ from, to }) => `server/floors.json: ${from} no longer imports ${to}: remove the exception.`)
}

/** A statement does not name a table of a module, not even to read it, except those of its own module. */
export function tableReadFaults(
  { modules, exceptions }: Floors,
  declared: readonly Declared[],
  owners: Readonly<Record<string, { readonly owner: string }>>,
): string[] {
  const moduleOf = (room = '') => Object.keys(modules).find((name) => modules[name]?.rooms.includes(room))
  const isErasure = ({ name }: Declared) => name.startsWith('tenants.erase_')
  const found = declared
    .filter((one) => !isErasure(one))
    .flatMap(({ name, room, text }) =>
      [...tablesIn(text)]
        .map((table) => ({ statement: name, table, of: moduleOf(owners[table]?.owner) }))
        .filter(({ of }) => of !== undefined && of !== moduleOf(room)),
    )
  const isSame = (a: { statement: string; table: string }) => (b: { statement: string; table: string }) =>
    a.statement === b.statement && a.table === b.table
  return [
    ...found
      .filter((one) => !exceptions.statements.some(isSame(one)))
      .map(({ statement, table, of }) => `SQL "${statement}" names ${table}, a table of the module ${of}.`),
    ...exceptions.statements
      .filter((one) => !found.some(isSame(one)))
      .map(
        ({ statement, table }) => `server/floors.json: "${statement}" no longer names ${table}: remove the exception.`,
      ),
  ]
}

const tablesIn = (text: string): Set<string> => {
  const read = findAll(commandsOf(text), 'RangeVar').map((range) => textAt(range, 'relname'))
  return new Set([...read, ...writesOf(text).map(({ table }) => table)])
}
