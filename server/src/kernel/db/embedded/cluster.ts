import { readFile } from 'node:fs/promises'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { DurableFiles } from './durable-files.ts'
import type { WorkerStart } from './messages.ts'
import { SnapshotFiles } from './snapshot-files.ts'

// There is one session and tables are small, so the defaults would waste 150 MB. The lock table holds connections times
// locks, and a migration may touch many tables.
const settings = { shared_buffers: '16MB', max_connections: '10', max_locks_per_transaction: '256' }

/** Opens the cluster, or makes one if there is none. `hear` gets what the engine writes to standard error. */
export function openCluster(
  { cluster, snapshot }: WorkerStart,
  program: WebAssembly.Module,
  hear: (line: string) => void,
): Promise<PGlite> {
  const common: PGliteOptions = {
    pgliteWasmModule: program,
    // `publish` puts the new cluster on disk as a whole.
    initDbStartParams: ['--no-sync', '--no-instructions'],
    onStderr: (line) => {
      hear(line)
      return false
    },
  }
  return cluster === undefined ? inMemory(common, snapshot) : inFiles(common, cluster, snapshot)
}

async function inMemory(common: PGliteOptions, snapshot: string | undefined): Promise<PGlite> {
  const startParams = [...PGlite.defaultStartParams, ...asParams(settings)]
  return PGlite.create({
    ...common,
    startParams,
    ...(snapshot === undefined ? {} : { fs: new SnapshotFiles(snapshot) }),
  })
}

async function inFiles(common: PGliteOptions, cluster: string, snapshot: string | undefined): Promise<PGlite> {
  const files = new DurableFiles(cluster)
  // -F would turn fsync off. The usual method for the log, fdatasync, is a stub in this build.
  const defaults = PGlite.defaultStartParams.filter((param) => param !== '-F')
  const startParams = [...defaults, ...asParams({ ...settings, wal_sync_method: 'fsync' })]
  const engine = await PGlite.create({
    ...common,
    startParams,
    fs: files,
    ...(files.isNew ? await loaded(snapshot) : {}),
  })
  await files.publish()
  return engine
}

async function loaded(snapshot: string | undefined): Promise<PGliteOptions> {
  return snapshot === undefined ? {} : { loadDataDir: new Blob([await readFile(snapshot)]) }
}

function asParams(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
