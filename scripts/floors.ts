// Which floor or module each room belongs to (server/floors.json). dependency-cruiser holds the imports to it, this file the SQL.
import { readFileSync } from 'node:fs'
import { findFiles } from './files.ts'
import { commandsOf, findAll, textAt } from './sql-tree.ts'
import { type Declared, writesOf } from './table-wall.ts'

export type Floors = {
  /** From the bottom up. */
  readonly floors: Readonly<Record<string, readonly string[]>>
  /** A module needs only modules that stand before it. */
  readonly modules: Readonly<Record<string, { readonly needs?: readonly string[]; readonly rooms: readonly string[] }>>
}

const FLOORS = JSON.parse(readFileSync('server/floors.json', 'utf8')) as Floors
/** From the bottom up. */
export const ROOMS = [
  ...Object.values(FLOORS.floors),
  ...Object.values(FLOORS.modules).map(({ rooms }) => rooms),
].flat()

export const floorFaults = (declared: readonly Declared[], owners: Readonly<Record<string, { owner: string }>>) => [
  ...placeFaults(FLOORS, roomsOfServer()),
  ...tableReadFaults(FLOORS, declared, owners),
]

const roomsOfServer = (): string[] => {
  const files = findFiles('server/src/*/*/**/*.ts', { exclude: ['server/src/process/**', '**/fixtures/**'] })
  return [...new Set(files.map(roomOf))]
}

/** A room is a folder of `server/src/<floor>/`. */
export const roomOf = (file: string): string => file.split('/').slice(2, 4).join('/')

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

/** A statement does not name a table of a module, not even to read it, except those of its own module. */
export function tableReadFaults(
  { modules }: Floors,
  declared: readonly Declared[],
  owners: Readonly<Record<string, { readonly owner: string }>>,
): string[] {
  const moduleOf = (room = '') => Object.keys(modules).find((name) => modules[name]?.rooms.includes(room))
  return declared
    .filter(({ name }) => !name.startsWith('tenants.erase_'))
    .flatMap(({ name, room, text }) =>
      [...tablesIn(text)]
        .map((table) => ({ table, of: moduleOf(owners[table]?.owner) }))
        .filter(({ of }) => of !== undefined && of !== moduleOf(room))
        .map(({ table, of }) => `SQL "${name}" names ${table}, a table of the module ${of}.`),
    )
}

const tablesIn = (text: string): Set<string> => {
  const read = findAll(commandsOf(text), 'RangeVar').map((range) => textAt(range, 'relname'))
  return new Set([...read, ...writesOf(text).map(({ table }) => table)])
}
