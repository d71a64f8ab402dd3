// Runs in a worker thread: PostgreSQL compiled to WebAssembly is synchronous, and needs a deeper stack than the main
// thread has. It takes batches of the wire protocol and answers each with one message.
import { readFile, writeFile } from 'node:fs/promises'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { PGlite, protocol } from '@electric-sql/pglite'
import { DurableFiles } from './durable-files.ts'
import type { FromWorker, ToWorker, WorkerStart } from './messages.ts'

const longJump = 100 // PGlite's exit status for "an SQL error jumped to the main loop"

const port = parentOf(parentPort)
const program = await compiled(start().program)
const engine = await PGlite.create(await settings(start()))
const faults = watchForFaults(engine)
let sessions = 0

port.on('message', (message: ToWorker) => {
  if (message.kind === 'batch') answer(message.bytes)
  else if (message.kind === 'dump') void dump(message.file)
  else void engine.close().finally(() => process.exit(0))
})
say({ kind: 'ready', program })

async function settings({ cluster, snapshot }: WorkerStart) {
  const shared = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB']
  const initDbStartParams = ['--no-sync', '--no-instructions']
  const common = { pgliteWasmModule: program, initDbStartParams }
  if (cluster === undefined) {
    const loaded = snapshot === undefined ? {} : { loadDataDir: new Blob([await readFile(snapshot)]) }
    return { ...common, startParams: shared, ...loaded }
  }
  // -F would turn fsync off, and the default method for syncing the log is a stub in this build.
  const startParams = [...shared.filter((param) => param !== '-F'), '-c', 'wal_sync_method=fsync']
  return { ...common, startParams, fs: new DurableFiles(cluster) }
}

function answer(batch: Uint8Array): void {
  const chunks: Uint8Array[] = []
  const opensSession = batch[0] === 0
  // There is one backend for all clients, one after the other: what the last one left behind is not the next one's.
  if (opensSession && sessions++ > 0) resetSession()
  run(batch, (bytes) => chunks.push(bytes))
  const bytes = joined(chunks)
  const fault = faults() ?? (endsReady(bytes) ? undefined : 'it did not come back to its prompt')
  if (fault === undefined) say({ kind: 'answer', bytes }, [bytes.buffer])
  else giveUp(fault)
}

function resetSession(): void {
  for (const text of ['rollback', 'discard all']) run(protocol.serialize.query(text), () => undefined)
}

function run(batch: Uint8Array, take: (bytes: Uint8Array) => void): void {
  // The bytes lie in the engine's memory and are overwritten by the next ones. The call works before it returns; its
  // promise is only for file systems that have to be synced afterwards.
  void engine.execProtocolRawStream(batch, { syncToFs: false, onRawData: (bytes) => take(bytes.slice()) })
}

/**
 * PGlite swallows every exception of the engine, also those after which its memory is damaged (an exhausted stack, an
 * abort): the query would "succeed" without rows. Only an SQL error is harmless.
 */
function watchForFaults({ Module: module }: PGlite): () => string | undefined {
  let fault: string | undefined
  const step = module._PostgresMainLoopOnce
  module._PostgresMainLoopOnce = () => {
    try {
      step()
    } catch (error) {
      if (!isLongJump(error)) fault ??= String(error)
      throw error
    }
  }
  return () => fault
}

const isLongJump = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'status' in error && error.status === longJump

/** Every batch ends with a message after which the server says "ready for query": Z, length 5, transaction status. */
function endsReady(bytes: Uint8Array): boolean {
  return bytes.length >= 6 && bytes[bytes.length - 6] === 0x5a && bytes[bytes.length - 2] === 5
}

async function dump(file: string): Promise<void> {
  const snapshot = await engine.dumpDataDir('none')
  await writeFile(file, snapshot.stream())
  say({ kind: 'dumped' })
}

function giveUp(reason: string): void {
  say({ kind: 'broken', reason })
  port.close()
}

function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

function say(message: FromWorker, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer)
}

async function compiled(known: WebAssembly.Module | undefined): Promise<WebAssembly.Module> {
  if (known !== undefined) return known
  return WebAssembly.compile(await readFile(new URL('./pglite.wasm', import.meta.resolve('@electric-sql/pglite'))))
}

function start(): WorkerStart {
  return workerData as WorkerStart // the engine is the only one that starts this file
}

function parentOf(port: MessagePort | null): MessagePort {
  if (port === null) throw new Error('This file is started as a worker by the embedded engine, not by hand.')
  return port
}
