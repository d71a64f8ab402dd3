import fs from 'node:fs'
import path from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

// The few parts of Emscripten that are touched here; the types of the package leave them open.
type FileStream = { nfd: number; node: { mode: number } }
type Mount = { opts: { root: string } }
type Emscripten = {
  FS: { isDir(mode: number): boolean; lookupPath(at: string): { node: { mount: Mount } } }
  NODEFS: { stream_ops: { fsync?: (stream: FileStream) => number } }
}
type InitResult = ReturnType<NodeFS['init']>

const ioError = 29 // EIO in the numbering of WASI, which is what the C side reads

/**
 * The files of the cluster, with an fsync that reaches the disk. Emscripten's own answers "done" and does nothing, so
 * every acknowledged commit would be lost with the power.
 *
 * A new cluster is written beside its place and renamed once it is on disk: a kill in between never leaves a directory
 * that looks like a database and does not open.
 */
export class DurableFiles extends NodeFS {
  readonly #place: string
  #mount: Mount | undefined

  constructor(place: string) {
    const building = `${place}.new`
    const exists = fs.existsSync(place)
    if (!exists) fs.rmSync(building, { recursive: true, force: true })
    super(exists ? place : building)
    this.#place = path.resolve(place)
  }

  override async init(pg: PGlite, options: Parameters<NodeFS['init']>[1]): InitResult {
    const made = await super.init(pg, options)
    made.emscriptenOpts.preRun?.push((module) => {
      const engine = asEmscripten(module)
      engine.NODEFS.stream_ops.fsync = (stream) => flush(engine, stream)
      this.#mount = engine.FS.lookupPath(pgdata).node.mount
    })
    return made
  }

  /** PGlite calls this once between copying a new cluster in and opening it; afterwards there is nothing to do. */
  override async syncToFs(): Promise<void> {
    if (this.rootDir === this.#place || this.#mount === undefined) return
    flushTree(this.rootDir)
    fs.renameSync(this.rootDir, this.#place)
    flushPath(path.dirname(this.#place))
    this.rootDir = this.#place
    this.#mount.opts.root = this.#place // every path is resolved from here anew, and no file is open yet
  }
}

const pgdata = '/pglite/data'

function flush(engine: Emscripten, stream: FileStream): number {
  try {
    // A directory's entries are its data, but only fsync promises that for every file system.
    if (engine.FS.isDir(stream.node.mode)) fs.fsyncSync(stream.nfd)
    else fs.fdatasyncSync(stream.nfd)
    return 0
  } catch {
    return ioError // PostgreSQL stops on it, as it must: what the disk refused may not be acknowledged
  }
}

function flushTree(directory: string): void {
  for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
    const at = path.join(directory, entry.name)
    if (entry.isDirectory()) flushTree(at)
    else flushPath(at)
  }
  flushPath(directory)
}

function flushPath(at: string): void {
  const file = fs.openSync(at, 'r')
  try {
    fs.fsyncSync(file)
  } finally {
    fs.closeSync(file)
  }
}

// The package types the module without the two members used here; they are part of every Emscripten build with NODEFS.
function asEmscripten(module: unknown): Emscripten {
  return module as Emscripten
}
