import module from 'node:module'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { FromWorker, ToWorker, WorkerStart } from './messages.ts'
import { type Exchange, Wire } from './wire.ts'

export type EngineOptions = {
  /** Where the cluster lives; undefined keeps it in memory. */
  readonly cluster: string | undefined
  readonly snapshot: string | undefined
  /** How long one batch of the protocol may take; 0 means as long as it likes. */
  readonly statementTimeoutMs: number
  readonly stackSizeMb?: number
  readonly warn: (message: string, details: Record<string, unknown>) => void
}

type Bytes = Uint8Array<ArrayBuffer>
type Batch = { readonly wire: Wire; readonly bytes: Bytes }

// With the default of 4 MB an expression of 500 terms exhausts the stack; with 64 MB a JSON text nested 700 000 deep does.
// With this, PostgreSQL's own limit comes first and answers with a proper error. Only what is touched takes memory.
const deepStackMb = 256
const openLimitMs = 120_000
const closeLimitMs = 10_000
// A main thread that was busy itself finds the timer due before it reads the answer that has long arrived.
const secondLookMs = 50

// SQLSTATEs, so that the driver reports the same errors here as from a server.
const cancelled = '57014'
const crashed = '57P02'
const notAccepting = '57P03'
const shutDown = '57P01'

/**
 * Owns the worker: hands it one batch at a time, watches the clock, and starts another one when it dies. No query is
 * ever left without an answer.
 */
export class Engine implements Exchange {
  readonly #options: EngineOptions
  readonly #waiting: Batch[] = []
  /** The wires whose session the present worker has seen: they end with it. */
  readonly #attached = new Set<Wire>()
  #worker: Worker | undefined
  /** Settles when the worker before has ended: two on one cluster would destroy it. */
  #leaving: Promise<unknown> | undefined
  #isOpen = false
  #busy: Batch | undefined
  #watchdog: NodeJS.Timeout | undefined
  #limitsLifted = 0
  /** Why it is closed, once it is. */
  #closed: string | undefined
  /** The compiled engine; handed to the next worker, which then opens in a third of the time. */
  #program: WebAssembly.Module | undefined
  readonly #opening = Promise.withResolvers<void>()
  #dumping: PromiseWithResolvers<void> | undefined

  /** Starts the worker at once; whoever calls can load its own modules meanwhile. */
  constructor(options: EngineOptions) {
    this.#options = options
    this.#opening.promise.catch(() => undefined) // whoever awaits `ready` hears of it
    this.#start()
  }

  /** Settles when the first worker has opened, or could not. */
  get ready(): Promise<void> {
    return this.#opening.promise
  }

  connect(): Wire {
    return new Wire(this)
  }

  submit(wire: Wire, bytes: Bytes): void {
    if (this.#closed !== undefined) {
      wire.hangUp(shutDown, this.#closed)
      return
    }
    this.#waiting.push({ wire, bytes })
    this.#start()
    this.#worker?.ref()
    this.#pump()
  }

  forget(wire: Wire): void {
    this.#attached.delete(wire)
    const kept = this.#waiting.filter((batch) => batch.wire !== wire)
    this.#waiting.splice(0, this.#waiting.length, ...kept)
  }

  /** Lifts the time limit while `work` runs: for maintenance and migrations. */
  async unlimited<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#limitsLifted++
    try {
      return await work()
    } finally {
      this.#limitsLifted--
    }
  }

  /** Writes a memory cluster to a file that another one can start from. */
  dump(file: string): Promise<void> {
    this.#dumping = Promise.withResolvers()
    this.#worker?.ref()
    this.#tell({ kind: 'dump', file })
    return this.#dumping.promise
  }

  async close(): Promise<void> {
    const isIdle = this.#isOpen && this.#busy === undefined
    const worker = this.#retire('The embedded database is closed.')
    if (worker !== undefined && isIdle) {
      const gone = new Promise((resolve) => worker.once('exit', resolve))
      worker.postMessage({ kind: 'close' } satisfies ToWorker)
      await Promise.race([gone, pause(closeLimitMs, undefined, { ref: false })])
    }
    // One that opens or works has nothing to say that recovery does not know better.
    await worker?.terminate()
    await this.#leaving
  }

  /** Stops at once, without a last word to the files: they belong to somebody else now. */
  async abandon(reason: string): Promise<void> {
    await this.#retire(reason)?.terminate()
  }

  #start(): void {
    if (this.#worker !== undefined || this.#leaving !== undefined || this.#closed !== undefined) return
    const { cluster, snapshot, stackSizeMb = deepStackMb } = this.#options
    const start: WorkerStart = { cluster, snapshot, program: this.#program }
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: start,
      resourceLimits: { stackSizeMb },
      execArgv: [],
      env: whereCodeIsKept(),
    })
    this.#worker = worker
    this.#isOpen = false
    let reason = 'its thread ended'
    const late = setTimeout(() => this.#lose(worker, `it did not open within ${openLimitMs / 1000} s`), openLimitMs)
    late.unref()
    worker.on('message', (message: FromWorker) => {
      clearTimeout(late)
      if (worker === this.#worker) this.#hear(worker, message)
    })
    worker.on('error', (error) => {
      reason = error instanceof Error ? error.message : String(error)
    })
    worker.on('exit', () => {
      clearTimeout(late)
      this.#lose(worker, reason)
    })
  }

  #hear(worker: Worker, message: FromWorker): void {
    if (message.kind === 'answer') this.#take(message.bytes)
    else if (message.kind === 'dumped') this.#dumping?.resolve()
    else if (message.kind === 'broken') this.#lose(worker, message.reason)
    else {
      this.#program = message.program
      this.#isOpen = true
      this.#opening.resolve()
      this.#pump()
    }
  }

  #pump(): void {
    if (!this.#isOpen || this.#busy !== undefined) return
    const next = this.#waiting.shift()
    if (next === undefined) {
      this.#worker?.unref() // an idle database keeps no process alive
      return
    }
    this.#busy = next
    this.#attached.add(next.wire)
    this.#watch(next)
    this.#tell({ kind: 'batch', bytes: next.bytes }, [next.bytes.buffer])
  }

  #take(answer: Bytes): void {
    clearTimeout(this.#watchdog)
    const answered = this.#busy
    this.#busy = undefined
    answered?.wire.receive(answer)
    this.#pump()
  }

  #watch(batch: Batch): void {
    const limitMs = this.#options.statementTimeoutMs
    if (limitMs === 0 || this.#limitsLifted > 0) return
    const look = (): void => {
      if (this.#busy === batch) this.#interrupt(batch, limitMs)
    }
    this.#watchdog = setTimeout(() => {
      this.#watchdog = setTimeout(look, secondLookMs)
    }, limitMs)
  }

  // The engine works without a break and hears nothing meanwhile: only the end of its thread stops it. What was
  // committed is on disk, and the next worker recovers it.
  #interrupt(batch: Batch, limitMs: number): void {
    batch.wire.hangUp(cancelled, `canceling statement due to statement timeout (${limitMs} ms)`)
    if (this.#worker !== undefined) this.#lose(this.#worker, `a statement ran longer than ${limitMs} ms`)
  }

  /** A worker is gone, or not to be trusted: whatever depends on its session hears so, and the next one starts. */
  #lose(worker: Worker, reason: string): void {
    if (worker !== this.#worker) return
    const wasOpen = this.#isOpen
    this.#forgetWorker()
    this.#leaving = worker.terminate().finally(() => {
      this.#leaving = undefined
      if (wasOpen || this.#waiting.length > 0) this.#start()
    })
    this.#hangUpAttached(crashed, `The embedded database stopped: ${reason}.`)
    if (wasOpen) {
      this.#options.warn('The embedded database stopped and is being opened again.', { reason })
      return
    }
    const where = this.#options.cluster ?? 'memory'
    const message = `The embedded database (${where}) could not be opened: ${reason}.`
    this.#opening.reject(new Error(message))
    // The next query tries anew; whoever waits already is told, so that a database that never opens is no endless loop.
    for (const { wire } of this.#waiting.splice(0)) wire.hangUp(notAccepting, message)
  }

  #retire(reason: string): Worker | undefined {
    const worker = this.#worker
    this.#closed = reason
    this.#forgetWorker()
    this.#hangUpAttached(shutDown, reason)
    for (const { wire } of this.#waiting.splice(0)) wire.hangUp(shutDown, reason)
    worker?.ref()
    return worker
  }

  #forgetWorker(): void {
    clearTimeout(this.#watchdog)
    this.#worker = undefined
    this.#isOpen = false
    this.#busy = undefined
    this.#dumping?.reject(new Error('The embedded database stopped before it was dumped.'))
    this.#dumping = undefined
  }

  #hangUpAttached(sqlState: string, message: string): void {
    const wires = [...this.#attached]
    this.#attached.clear()
    for (const wire of wires) {
      this.forget(wire)
      wire.hangUp(sqlState, message)
    }
  }

  #tell(message: ToWorker, transfer: ArrayBuffer[] = []): void {
    this.#worker?.postMessage(message, transfer)
  }
}

/** A thread does not inherit the folder in which its process keeps compiled code, and the engine's own code is half a megabyte. */
function whereCodeIsKept(): Record<string, string> {
  const directory = module.getCompileCacheDir()
  return directory === undefined ? {} : { NODE_COMPILE_CACHE: path.dirname(directory) }
}
