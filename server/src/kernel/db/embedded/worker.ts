// Runs in a worker thread, because PostgreSQL compiled to WebAssembly is synchronous and needs a deeper stack than the
// main thread has. It takes batches of the wire protocol and answers each with one message.
import { readFile, writeFile } from 'node:fs/promises'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { type PGlite, protocol } from '@electric-sql/pglite'
import { openCluster } from './cluster.ts'
import type { FromWorker, ToWorker, WorkerStart } from './messages.ts'

const longJump = 100 // PGlite's exit status for "an SQL error jumped to the main loop"

// WASI's numbers for the errors of a file system.
const fileErrors: Readonly<Record<number, string>> = {
  2: 'permission denied',
  29: 'the disk reports an error',
  51: 'no space left on the disk',
  63: 'operation not permitted',
  69: 'the file system is read-only',
}

const port = parentOf(parentPort)
const start = asWorkerStart(workerData)
const program = start.program ?? (await compiled())
const lastWords: string[] = []
const harmless = / (LOG|ERROR|WARNING|NOTICE|DETAIL|CONTEXT|STATEMENT): |^\s*$/
const engine = await openCluster(start, program, keepLastWords).catch(explained)
const readFault = watchForFaults(engine)
let sessions = 0

port.on('message', (message: ToWorker) => {
  if (message.kind === 'batch') answerBatch(message.bytes)
  else if (message.kind === 'dump') void dump(message.file)
  else void engine.close().finally(() => process.exit(0))
})
post({ kind: 'ready', program })

// The engine writes the reason for its end to standard error only.
function keepLastWords(line: string): void {
  if (!harmless.test(line)) lastWords.splice(0, lastWords.length - 2, line)
}

function withLastWords(reason: string): string {
  return [reason, ...lastWords].join('; ')
}

function explained(error: unknown): never {
  throw new Error(withLastWords(reasonOf(error)))
}

/** The engine's file system throws bare objects with WASI's error number, not this machine's. */
function reasonOf(error: unknown): string {
  if (error instanceof Error) return error.message
  const { errno } = error as { errno?: number }
  return errno === undefined ? String(error) : (fileErrors[errno] ?? `a file could not be used (error ${errno})`)
}

function answerBatch(batch: Uint8Array): void {
  const chunks: Uint8Array[] = []
  const opensSession = batch[0] === 0
  // One backend serves all clients in turn, so a new client must not see what the last one left behind.
  if (opensSession && sessions++ > 0) resetSession()
  run(batch, (bytes) => chunks.push(bytes))
  const bytes = joined(chunks)
  const reason = readFault() ?? (endsReady(bytes) ? undefined : 'it did not come back to its prompt')
  if (reason === undefined) post({ kind: 'answer', bytes }, [bytes.buffer])
  else giveUp(reason)
}

function resetSession(): void {
  for (const text of ['rollback', 'discard all']) run(protocol.serialize.query(text), () => undefined)
}

function run(batch: Uint8Array, take: (bytes: Uint8Array) => void): void {
  // The bytes are in the engine's memory, where the next ones overwrite them. The call is complete when it returns; its
  // promise is only for file systems that need a sync afterwards.
  void engine.execProtocolRawStream(batch, { syncToFs: false, onRawData: (bytes) => take(bytes.slice()) })
}

/**
 * PGlite swallows every exception of the engine, even one that damages its memory (an exhausted stack, an abort), and
 * the query would "succeed" without rows. Only an SQL error is harmless.
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
  post({ kind: 'broken', reason: withLastWords(reason) })
  port.close()
}

async function dump(file: string): Promise<void> {
  const snapshot = await engine.dumpDataDir('none')
  await writeFile(file, snapshot.stream())
  post({ kind: 'dumped' })
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

function post(message: FromWorker, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer)
}

async function compiled(): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(new URL('./pglite.wasm', import.meta.resolve('@electric-sql/pglite'))))
}

function asWorkerStart(data: unknown): WorkerStart {
  return data as WorkerStart // Only the engine starts this file.
}

function parentOf(parent: MessagePort | null): MessagePort {
  if (parent === null) throw new Error('The embedded engine starts this file as a worker. Do not run it by hand.')
  return parent
}
