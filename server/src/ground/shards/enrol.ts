// Each of several databases knows its name, so that an address that leads elsewhere is noticed at the start.
import { randomUUID } from 'node:crypto'
import type { Database, Queries } from '../../foundation/db/index.ts'
import * as sql from './queries.ts'

export type NamedDatabase = { readonly name: string; readonly db: Database }

/** The settings lead to another database than they say. */
export class NotThatDatabase extends Error {}

const PAGE = 10_000

/**
 * Makes databases those of one deployment, the first of which hands out the ids of tenants. Refuses where two hold a tenant of the same
 * id, and changes nothing then. It may be run again.
 */
export async function enrol(databases: readonly [NamedDatabase, ...NamedDatabase[]]): Promise<void> {
  const [first, ...others] = databases
  const names = databases.map(({ name }) => name)
  const deployment = (await first.db.one(sql.readPlace))?.deployment ?? randomUUID()
  let isEnrolled = true
  for (const { name, db } of databases) {
    const place = await db.one(sql.readPlace)
    if (place === undefined) isEnrolled = false
    else holdPlace(name, place, { deployment, name })
    await requireAllNamed(db, names)
  }
  await requireDistinct(databases)
  let highest = 0
  for (const [at, { name, db }] of databases.entries()) {
    for (let after = 0; ; ) {
      const ids = (await db.rows(sql.listIds, { after, limit: PAGE })).map(({ tenantId }) => tenantId)
      if (ids.length === 0) break
      for (const other of databases.slice(at + 1)) {
        const [twice] = await other.db.rows(sql.idsHere, { ids })
        if (twice !== undefined) throw new NotThatDatabase(inTwo(twice.tenantId, name, other.name, isEnrolled))
      }
      after = ids.at(-1) ?? after
    }
    highest = Math.max(highest, (await db.one(sql.highestId))?.highest ?? 0)
  }
  await first.db.rows(sql.countBeyond, { highest })
  for (const { db } of others) await db.rows(sql.countNoMore)
  for (const { name, db } of databases) await db.run(sql.takePlace, { deployment, name, names })
}

const inTwo = (tenantId: number, one: string, other: string, isEnrolled: boolean): string =>
  `Tenant ${tenantId} is in the database "${one}" and in "${other}". ${
    isEnrolled
      ? 'One of them was restored from a backup of before it moved. Do not start the service before the older copy is deleted: ' +
        `npm run move-tenant -- --tenant ${tenantId} --drop-from NAME (docs/operations.md#restoring-one-of-several).`
      : 'A deployment has each id once, so these two cannot be one deployment.'
  }`

/** Two names for one database would be noticed late: at the first start, when it has the name of only one of them. */
async function requireDistinct(databases: readonly NamedDatabase[]): Promise<void> {
  const names = new Map<string, string>()
  for (const { name, db } of databases) {
    const identity = (await db.one(sql.readIdentity))?.identity ?? name
    const same = names.get(identity)
    if (same !== undefined)
      throw new NotThatDatabase(
        `"${same}" and "${name}" are the same database. Correct Database:Url and Database:Shards: each name has one of its own.`,
      )
    names.set(identity, name)
  }
}

function holdPlace(name: string, place: sql.Place, meant: sql.Place): void {
  if (place.name !== meant.name) {
    throw new NotThatDatabase(
      `The database that the settings call "${name}" is "${place.name}". Correct Database:Url and Database:Shards: a database keeps its name.`,
    )
  }
  if (place.deployment !== meant.deployment) {
    throw new NotThatDatabase(
      `The database "${name}" belongs to another deployment than the first one. Correct its address.`,
    )
  }
}

/** Throws unless a database is the one that it is called, of the same deployment as the first. Returns the deployment. */
export async function requirePlaces({ name, db }: NamedDatabase, deployment: string | null): Promise<string> {
  const place = await db.one(sql.readPlace)
  if (place === undefined) {
    throw new NotThatDatabase(
      `The database "${name}" has not been made one of several. Run \`npm run migrate\` with the same Database:Shards.`,
    )
  }
  holdPlace(name, place, { name, deployment: deployment ?? place.deployment })
  return place.deployment
}

/**
 * Throws where settings lack a database of the deployment. Whoever starts all the same would tell its tenants that their keys are not
 * valid, give their addresses to others, and leave their events unsent.
 */
export async function requireAllNamed(db: Pick<Queries, 'one'>, named: readonly string[]): Promise<void> {
  const place = await db.one(sql.readPlace)
  if (place === undefined) return
  const lacking = place.names.filter((name) => !named.includes(name))
  if (named.length > 1 && lacking.length === 0) return
  const which = lacking.length === 0 ? '' : ` Missing: ${lacking.join(', ')}.`
  throw new NotThatDatabase(
    `This database is "${place.name}" of several.${which} Give this process the same Database:Url and Database:Shards as all others.`,
  )
}
