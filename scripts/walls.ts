// Holds every SQL text that the server can ever run against the two walls: who writes which table, and whose rows it touches.
import { readFileSync } from 'node:fs'
import { TABLES } from '../server/migrations/tables.ts'
import { allStatements } from '../server/src/kernel/db/index.ts'
import { announced } from '../server/src/tenancy/outbox/index.ts'
import { dividedFaults } from './divided-wall.ts'
import { findFiles } from './files.ts'
import { floorFaults, roomOf } from './floors.ts'
import { importsOf } from './import-graph.ts'
import { tablesAfter } from './sql-tree.ts'
import { type Declared, insertedColumns, ownerFaults, tableFaults } from './table-wall.ts'
import { joinFaults, looksOnly, wallFaults } from './tenant-wall.ts'

/** Everything that is wrong with a statement, or with what it declares of itself. */
export async function statementFaults(): Promise<string[]> {
  const declared = await declaredByRoom()
  const migrations = findFiles('server/migrations/*.sql')
  const tables = tablesAfter(migrations.map((path) => readFileSync(path, 'utf8')))
  // The one that no migration makes says which of them were applied.
  const names = ['schema_migrations', ...tables.map(({ name }) => name)]
  const ofTenants = tables.filter(({ columns }) => columns.includes('tenant_id')).map(({ name }) => name)
  return [
    ...tenantFaults(declared, new Set(ofTenants)),
    ...ownerFaults(names, TABLES),
    ...tableFaults(declared, TABLES),
    ...floorFaults(declared, TABLES),
    ...declared.flatMap(dividedFaults),
    ...declared.flatMap(roomFaults),
    ...declared.flatMap(announceFaults),
    ...declared.flatMap(noticeFaults),
  ]
}

type InRoom = Declared & { readonly names: readonly string[] }

/** Statements with the rooms that declare them. */
export async function declaredByRoom(): Promise<InRoom[]> {
  const rooms = new Map(allStatements().map(({ name }) => [name, 'kernel/db']))
  for (const path of importedFirst(findFiles('server/src/**/*queries.ts'))) {
    await import(`../${path}`)
    for (const { name } of allStatements()) if (!rooms.has(name)) rooms.set(name, roomOf(path))
  }
  return allStatements().map((one) => ({ ...one, room: rooms.get(one.name) ?? '' }))
}

/** A file stands behind those that it imports, so that loading it declares no statement but its own. */
function importedFirst(files: readonly string[]): string[] {
  const seen = new Set<string>()
  const visit = (file: string): string[] => {
    if (seen.has(file)) return []
    seen.add(file)
    return [...importsOf(file).flatMap(visit), file]
  }
  return files.flatMap(visit).filter((file) => files.includes(file))
}

/** A statement's name begins with its room. A module chooses the words that its statements begin with. */
export const roomFaults = ({ name, room }: Declared): string[] =>
  room.startsWith('modules/') || room.endsWith(`/${name.split('.')[0]}`)
    ? []
    : [`SQL "${name}" stands in ${room}: begin its name with "${room.split('/')[1]}.".`]

/** Whose rows the statements touch, and whether those that span tenants do so rightly. */
export const tenantFaults = (declared: readonly InRoom[], ofTenants: ReadonlySet<string>): string[] =>
  declared.flatMap((one) => tenantFaultsOf(one, ofTenants).map((fault) => `SQL "${one.name}": ${fault}`))

function tenantFaultsOf(one: InRoom, ofTenants: ReadonlySet<string>): string[] {
  const faults = wallFaults(one, ofTenants)
  const { looks, batches, text } = one
  if (looks === undefined && batches === undefined) return faults
  if (faults.length === 0) return ['it spans no tenants: take that out of its declaration.']
  return [
    ...joinFaults(one, ofTenants),
    ...(looks !== undefined && !looksOnly(text) ? ['it looks over all tenants, and changes or locks something.'] : []),
    ...(batches !== undefined && looksOnly(text) ? ['it only looks: declare it so.'] : []),
  ]
}

const ANNOUNCED = insertedColumns(announced('changed', { event: `''`, eventId: `''` }), 'outbox')

/** Whoever tells something does it in the one form that knows what an event needs: its line, above all. */
export function announceFaults({ name, room, text }: Declared): string[] {
  if (room === TABLES.outbox?.owner) return []
  return insertedColumns(text, 'outbox')
    .filter((columns) => !ANNOUNCED.includes(columns))
    .map(() => `SQL "${name}" writes to the outbox by itself: announce with announced() of tenancy/outbox.`)
}

/** A commit that notifies holds a lock of the whole database while it is written: a bell rings after it. */
export const noticeFaults = ({ name, room, text }: Declared): string[] =>
  room !== 'tenancy/jobs' && /\bpg_notify\b|^\s*notify\b/i.test(text)
    ? [`SQL "${name}" notifies inside of a change: declare which bell it wakes.`]
    : []
