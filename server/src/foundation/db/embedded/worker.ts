// Runs in a worker thread: PostgreSQL compiled to WebAssembly is synchronous, and needs a deeper stack than the main
// thread has. It takes batches of the wire protocol and answers each with one message.
import { readFile, writeFile } from 'node:fs/promises'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { type PGlite, protocol } from '@electric-sql/pglite'
import { openCluster } from './cluster.ts'
import type { FromWorker, ToWorker, WorkerStart } from './messages.ts'

const longJump = 100 // PGlite's exit status for "an SQL error jumped to the main loop"

// WASI's numbers of what a file system refuses.
const fileErrors: Readonly<Record<number, string>> = {
  2: 'permission denied',
  29: 'the disk reports an error',
  51: 'no space left on the disk',
  63: 'operation not permitted',
  69: 'the file system is read-only',
}

const port = parentOf(parentPort)
const start = startOf(workerData)
const program = start.program ?? (await compiled())
const lastWords: string[] = []
const harmless = / (LOG|ERROR|WARNING|NOTICE|DETAIL|CONTEXT|STATEMENT): |^\s*$/
const engine = await openCluster(start, program, listen).catch(explained)
const fault = watchForFaults(engine)
let sessions = 0

port.on('message', (message: ToWorker) => {
  if (message.kind === 'batch') answer(message.bytes)
  else if (message.kind === 'dump') void dump(message.file)
  else void engine.close().finally(() => process.exit(0))
})
say({ kind: 'ready', program })

// Why the engine ends is only on its standard error.
function listen(line: string): void {
  if (!harmless.test(line)) lastWords.splice(0, lastWords.length - 2, line)
}

function withLastWords(reason: string): string {
  return [reason, ...lastWords].join('; ')
}

function explained(error: unknown): never {
  throw new Error(withLastWords(reasonOf(error)))
}

/** The engine's file system throws bare objects with a number of its own, not of this machine's. */
function reasonOf(error: unknown): string {
  if (error instanceof Error) return error.message
  const { errno } = error as { errno?: number }
  return errno === undefined ? String(error) : (fileErrors[errno] ?? `a file could not be used (error ${errno})`)
}

function answer(batch: Uint8Array): void {
  const chunks: Uint8Array[] = []
  const opensSession = batch[0] === 0
  // There is one backend for all clients, one after the other: what the last one left behind is not the next one's.
  if (opensSession && sessions++ > 0) resetSession()
  run(batch, (bytes) => chunks.push(bytes))
  const bytes = joined(chunks)
  const reason = fault() ?? (endsReady(bytes) ? undefined : 'it did not come back to its prompt')
  if (reason === undefined) say({ kind: 'answer', bytes }, [bytes.buffer])
  else giveUp(reason)
}

function resetSession(): void {
  for (const text of ['rollback', 'discard all']) run(protocol.serialize.query(text), () => undefined)
}

function run(batch: Uint8Array, take: (bytes: Uint8Array) => void): void {
  // The bytes lie in the engine's memory, where the next ones overwrite them. The call has done its work when it
  // returns; its promise is only for file systems that have to be synced afterwards.
  void engine.execProtocolRawStream(batch, { syncToFs: false, onRawData: (bytes) => take(bytes.slice()) })
}

/**
 * PGlite swallows every exception of the engine, also those after which its memory is damaged (an exhausted stack, an
 * abort), and the query would "succeed" without rows. Only an SQL error is harmless.
 */
function watchForFaults({ Module: module }: PGlite): () => string | undefined {
  let first: string | undefined
  const step = module._PostgresMainLoopOnce
  module._PostgresMainLoopOnce = () => {
    try {
      step()
    } catch (error) {
      if (!isLongJump(error)) first ??= String(error)
      throw error
    }
  }
  return () => first
}

function isLongJump(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'status' in error && error.status === longJump
}

/** Every batch ends with a message after which the server says "ready for query": Z, length 5, transaction status. */
function endsReady(bytes: Uint8Array): boolean {
  return bytes.length >= 6 && bytes[bytes.length - 6] === 0x5a && bytes[bytes.length - 2] === 5
}

function giveUp(reason: string): void {
  say({ kind: 'broken', reason: withLastWords(reason) })
  port.close()
}

async function dump(file: string): Promise<void> {
  const snapshot = await engine.dumpDataDir('none')
  await writeFile(file, snapshot.stream())
  say({ kind: 'dumped' })
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

async function compiled(): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(new URL('./pglite.wasm', import.meta.resolve('@electric-sql/pglite'))))
}

function startOf(data: unknown): WorkerStart {
  return data as WorkerStart // the engine is the only one that starts this file
}

function parentOf(parent: MessagePort | null): MessagePort {
  if (parent === null) throw new Error('This file is started as a worker by the embedded engine, not by hand.')
  return parent
}
