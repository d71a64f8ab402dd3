// A Citus coordinator with its workers on this machine: private folders, free ports, removed at the end. docs/scale.md says how to build
// Citus for an installed PostgreSQL.
import { type PrivatePostgres, startPostgres } from './private-postgres.ts'

export type PrivateCitus = {
  /** The coordinator. */
  readonly url: string
  readonly workers: readonly string[]
  stop(): Promise<void>
}

/** What every node needs; deploy/citus/compose.yaml sets the same for a deployment. */
export const NODE_SETTINGS = {
  // A transaction that writes on several nodes commits in two phases.
  max_prepared_transactions: 200,
  // Citus refuses to distribute tables with triggers otherwise. Each trigger of ours touches rows of one tenant only.
  'citus.enable_unsafe_triggers': 'on',
  // The workers need to know which trail a transaction may erase.
  'citus.propagate_set_commands': 'local',
  // Moves of shards copy the changes meanwhile.
  wal_level: 'logical',
}

/** Of servers that only this machine reaches, and that have no certificates. */
const UNENCRYPTED = { 'citus.node_conninfo': 'sslmode=disable' }

/** Every database has a maintenance process on each node, and tests have many databases. */
const ROOM = { max_worker_processes: 250, max_connections: 800 }

/** Tests compare the catalogs of a database with those of its template, and autovacuum writes statistics there. */
const FOR_TESTS = { autovacuum: 'off' }

/** Undefined where no installed PostgreSQL has Citus. */
export async function startCitus({ durable = true, workers = 2 } = {}): Promise<PrivateCitus | undefined> {
  const nodes: PrivatePostgres[] = []
  const stop = async () => {
    for (const node of nodes) await node.stop()
  }
  const settings = { ...NODE_SETTINGS, ...UNENCRYPTED, ...ROOM, ...(durable ? {} : FOR_TESTS) }
  for (let count = 0; count <= workers; count++) {
    const node = await startPostgres({ durable, library: 'citus', settings }).catch(async (error) => {
      await stop()
      throw error
    })
    if (node === undefined) return undefined
    nodes.push(node)
  }
  const [coordinator, ...others] = nodes
  return coordinator && { url: coordinator.url, workers: others.map(({ url }) => url), stop }
}
