// What must hold before a tenant moves. Everything that is wrong is said at once.
import type { Keyring } from '../../foundation/crypto/index.ts'
import { FIRST_SHARD } from '../../settings/index.ts'
import type { NamedDatabase } from '../shards/index.ts'
import { openSentinel, TENANT_TABLES } from '../tenants/index.ts'
import * as sql from './queries.ts'

/**
 * What is not logged, and not copied: minutes of frames, whose turns end with the move, and the lines of listeners, who begin new ones
 * where their tenant went.
 */
export const LEFT_BEHIND: readonly string[] = ['listener_lines', 'listener_requests', 'turn_frames']
export const COPIED: readonly string[] = TENANT_TABLES.filter((table) => !LEFT_BEHIND.includes(table))

export type Ends = { readonly from: NamedDatabase; readonly to: NamedDatabase }
type Asked = Ends & { readonly tenantId: number; readonly keyring: Keyring; readonly resumed: boolean }

/** An empty list where nothing is in the way. */
export async function faultsOf({ from, to, tenantId, keyring, resumed }: Asked): Promise<string[]> {
  const sides = await Promise.all(
    [from, to].map(async ({ name, db }) => ({
      name,
      server: await db.one(sql.readServer),
      shapes: await db.rows(sql.readShapes, { names: COPIED }),
      sealed: await openSentinel({ db, keyring }),
    })),
  )
  const [here, there] = await Promise.all([from, to].map(({ db }) => db.one(sql.readStanding, { tenantId })))
  const faults: string[] = []
  for (const { name, server, sealed } of sides) {
    if (server?.owns !== true) {
      faults.push(
        `"${name}": the role ${server?.role} does not own the tables. Run this with the one of npm run migrate, in ` +
          `${name === FIRST_SHARD ? 'DATABASE_URL' : 'Database:Shards'}.`,
      )
    } else if (server.maySilence !== true) {
      faults.push(
        `"${name}": the role ${server.role} may not copy rows without their triggers. Let a superuser run there: ` +
          `grant set on parameter session_replication_role to ${server.role}`,
      )
    }
    if (!sealed.opens) {
      faults.push(
        `"${name}": the encryption key of this process does not open its secrets. Give it the Encryption:Key and the ` +
          'Encryption:PreviousKeys of the service.',
      )
    }
  }
  const [one, other] = sides
  if (one?.server?.collation !== other?.server?.collation) {
    faults.push(`The databases sort texts differently (${one?.server?.collation}, ${other?.server?.collation}).`)
  }
  if (one?.server?.formats !== other?.server?.formats) {
    faults.push(
      `The databases write values differently (${one?.server?.formats}; ${other?.server?.formats}). Set both roles alike with alter role … set.`,
    )
  }
  faults.push(...differences(one?.shapes ?? [], other?.shapes ?? []))
  faults.push(...ofTenant(tenantId, here))
  if (there !== undefined && there.moving !== 'moved' && !(resumed && there.moving === 'arriving')) {
    faults.push(`"${to.name}" has a row of tenant ${tenantId} already.`)
  }
  return faults
}

function ofTenant(tenantId: number, standing: sql.Standing | undefined): string[] {
  if (standing === undefined || standing.deleted) return [`Tenant ${tenantId} has been deleted.`]
  const faults: string[] = []
  if (standing.sandbox) faults.push(`Tenant ${tenantId} is a sandbox, which lives for an hour and stays where it is.`)
  if (standing.provider) {
    faults.push(
      `Tenant ${tenantId} is a provider. It stays with its businesses, because what they use is counted beside it.`,
    )
  }
  if (standing.providerTenantId !== null) {
    faults.push(`Tenant ${tenantId} is a business of provider ${standing.providerTenantId}, and stays where that is.`)
  }
  return faults
}

function differences(here: readonly sql.TableShape[], there: readonly sql.TableShape[]): string[] {
  return COPIED.flatMap((table) => {
    const [one, other] = [here, there].map((side) => side.find(({ name }) => name === table))
    if (one === undefined || other === undefined) return [`The table ${table} is not in both databases.`]
    if (one.columns.join() !== other.columns.join()) return [`The table ${table} has other columns in one of them.`]
    return []
  })
}
