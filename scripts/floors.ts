// The floors of the server from the bottom up, and what each module needs (server/floors.json). dependency-cruiser holds the imports to
// them, this file the SQL and the list itself.
import { readdirSync, readFileSync } from 'node:fs'
import { findFiles } from './files.ts'
import { importsOf } from './import-graph.ts'
import { commandsOf, findAll, textAt } from './sql-tree.ts'
import { type Declared, writesOf } from './table-wall.ts'

type Floors = { readonly floors: readonly string[]; readonly needs: Readonly<Record<string, readonly string[]>> }

const FLOORS = JSON.parse(readFileSync('server/floors.json', 'utf8')) as Floors

export const floorFaults = (declared: readonly Declared[], owners: Readonly<Record<string, { owner: string }>>) => [
  ...folderFaults(FLOORS, foldersIn('server/src')),
  ...Object.entries(FLOORS.needs).flatMap(([name, needed]) => needed.flatMap((one) => needFaults(name, one))),
  ...tableReadFaults(declared, owners),
]

const foldersIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((one) => one.isDirectory())
    .map(({ name }) => name)

/** A room is a folder of a floor, or a module with all its folders. */
export const roomOf = (file: string): string => file.split('/').slice(2, 4).join('/')

export function folderFaults({ floors }: Floors, folders: readonly string[]): string[] {
  const known = [...floors, 'modules', 'process']
  return [
    ...folders
      .filter((one) => !known.includes(one))
      .map((one) => `server/src/${one} is no floor: add it to server/floors.json, or move its rooms to a floor.`),
    ...floors
      .filter((one) => !folders.includes(one))
      .map((one) => `server/floors.json names the floor ${one}, and there is no folder server/src/${one}.`),
  ]
}

function needFaults(name: string, needed: string): string[] {
  const imports = findFiles(`server/src/modules/${name}/**/*.ts`).flatMap(importsOf)
  return imports.some((one) => one.startsWith(`server/src/modules/${needed}/`))
    ? []
    : [`server/floors.json: the module ${name} does not import ${needed}: take the need out.`]
}

/** A statement does not name a table of a module, not even to read it, except those of its own module. */
export function tableReadFaults(
  declared: readonly Declared[],
  owners: Readonly<Record<string, { readonly owner: string }>>,
): string[] {
  const isOfOtherModule = (table: string, room?: string) => {
    const owner = owners[table]?.owner
    return owner !== room && owner?.startsWith('modules/') === true
  }
  return declared
    .filter(({ name }) => !name.startsWith('tenants.erase_'))
    .flatMap(({ name, room, text }) =>
      [...tablesIn(text)]
        .filter((table) => isOfOtherModule(table, room))
        .map((table) => `SQL "${name}" names ${table}, a table of ${owners[table]?.owner}.`),
    )
}

const tablesIn = (text: string): Set<string> => {
  const read = findAll(commandsOf(text), 'RangeVar').map((range) => textAt(range, 'relname'))
  return new Set([...read, ...writesOf(text).map(({ table }) => table)])
}
