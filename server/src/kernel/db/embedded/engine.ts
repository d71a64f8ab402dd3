import module from 'node:module'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { FromWorker, ToWorker, WorkerStart } from './messages.ts'
import { type EngineSide, Wire } from './wire.ts'

export type EngineOptions = {
  /** The cluster's directory; undefined keeps it in memory. */
  readonly cluster: string | undefined
  readonly snapshot: string | undefined
  /** How long one batch of the protocol may take; 0 means no limit. */
  readonly statementTimeoutMs: number
  readonly stackSizeMb?: number
  readonly warn: (message: string, details: Record<string, unknown>) => void
}

type Bytes = Uint8Array<ArrayBuffer>
type Batch = { readonly wire: Wire; readonly bytes: Bytes }

// An expression of 500 terms exhausts the default stack of 4 MB, and JSON nested 700 000 deep exhausts 64 MB. With this
// much, PostgreSQL reaches its own limit first and answers with a proper error. Only pages in use take memory.
const deepStackMb = 256
const openLimitMs = 120_000
const closeLimitMs = 10_000
// If the main thread was busy, its timer may fire before it reads an answer that arrived long ago.
const secondLookMs = 50

// SQLSTATEs that make the driver report the same errors as a server would.
const cancelled = '57014'
const crashed = '57P02'
const notAccepting = '57P03'
const shutDown = '57P01'

/**
 * Owns the worker: hands it one batch at a time, enforces the time limit, and starts another worker when this one dies.
 * Every query gets an answer.
 */
export class Engine implements EngineSide {
  readonly #options: EngineOptions
  readonly #waiting: Batch[] = []
  /** The wires with a session in the current worker. They end with it. */
  readonly #attached = new Set<Wire>()
  #worker: Worker | undefined
  /** Settles when the previous worker has ended, because two on one cluster would destroy it. */
  #leaving: Promise<unknown> | undefined
  #isOpen = false
  #busy: Batch | undefined
  #watchdog: NodeJS.Timeout | undefined
  #limitsLifted = 0
  /** The reason why it is closed; undefined while it is open. */
  #closed: string | undefined
  /** The compiled engine. With it, the next worker opens in a third of the time. */
  #program: WebAssembly.Module | undefined
  readonly #opening = Promise.withResolvers<void>()
  #dumping: PromiseWithResolvers<void> | undefined

  /** Starts the worker at once, so that the caller can load its own modules meanwhile. */
  constructor(options: EngineOptions) {
    this.#options = options
    this.#opening.promise.catch(() => undefined) // The error reaches whoever awaits `ready`.
    this.#start()
  }

  /** Settles when the first worker has opened or failed to open. */
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

  /** Lifts the time limit while `work` runs, for maintenance and migrations. */
  async unlimited<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#limitsLifted++
    try {
      return await work()
    } finally {
      this.#limitsLifted--
    }
  }

  /** Writes an in-memory cluster to a file that another cluster can start from. */
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
    // A worker that is opening or busy has nothing to save: recovery restores what was committed.
    await worker?.terminate()
    await this.#leaving
  }

  /** Stops at once and writes nothing more, because the files now belong to another process. */
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
      this.#worker?.unref() // An idle database must not keep the process alive.
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

  // The engine cannot receive a message while it works, so we can only end its thread. Committed work is on disk, and
  // the next worker recovers it.
  #interrupt(batch: Batch, limitMs: number): void {
    batch.wire.hangUp(cancelled, `canceling statement due to statement timeout (${limitMs} ms)`)
    if (this.#worker !== undefined) this.#lose(this.#worker, `a statement ran longer than ${limitMs} ms`)
  }

  /**
   * Handles a worker that is gone or cannot be trusted: tells everything that uses its session, and starts the next
   * one.
   */
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
      this.#options.warn('The embedded database stopped and is being reopened.', { reason })
      return
    }
    const where = this.#options.cluster ?? 'memory'
    const message = `The embedded database (${where}) could not be opened: ${reason}.`
    this.#opening.reject(new Error(message))
    // Those who wait get this error, or a database that never opens would loop for ever. The next query tries again.
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
