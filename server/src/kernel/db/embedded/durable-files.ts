import fs from 'node:fs'
import path from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

// The parts of Emscripten that we use here. The package does not declare types for them.
type FileStream = { nfd: number; node: { mode: number } }
type Mount = { opts: { root: string } }
type Emscripten = {
  FS: { isDir(mode: number): boolean; lookupPath(at: string): { node: { mount: Mount } } }
  NODEFS: { stream_ops: { fsync?: (stream: FileStream) => number } }
}

const mountPoint = '/pglite/data'
const ioError = 29 // EIO in the numbering of WASI, which is what the C side reads
// Four threads serve asynchronous file calls, so a larger number would only keep more files open.
const flushedAtOnce = 32

/**
 * The files of the cluster, with an fsync that reaches the disk. Emscripten's own does nothing and reports success, so
 * a power cut would lose acknowledged commits.
 *
 * A new cluster is made beside its place and `publish` moves it there, so that a kill in between never leaves a
 * directory that looks like a database but does not open.
 */
export class DurableFiles extends NodeFS {
  /** True if there was no cluster yet. */
  readonly isNew: boolean
  readonly #place: string
  #mount: Mount | undefined

  constructor(place: string) {
    const isNew = !fs.existsSync(place)
    const draft = `${place}.new`
    if (isNew) fs.rmSync(draft, { recursive: true, force: true })
    super(isNew ? draft : place)
    this.isNew = isNew
    this.#place = path.resolve(place)
  }

  override async init(pg: PGlite, options: Parameters<NodeFS['init']>[1]): ReturnType<NodeFS['init']> {
    const made = await super.init(pg, options)
    made.emscriptenOpts.preRun?.push((module) => {
      const engine = asEmscripten(module)
      engine.NODEFS.stream_ops.fsync = (stream) => flush(engine, stream)
      this.#mount = engine.FS.lookupPath(mountPoint).node.mount
    })
    return made
  }

  /** Syncs a new cluster to disk, then moves it into place while the engine keeps working in it. */
  async publish(): Promise<void> {
    if (this.rootDir === this.#place || this.#mount === undefined) return
    await flushTree(this.rootDir)
    fs.renameSync(this.rootDir, this.#place)
    await flushPath(path.dirname(this.#place))
    this.rootDir = this.#place
    this.#mount.opts.root = this.#place // Every path is resolved from here; open files do not notice.
  }
}

function flush(engine: Emscripten, stream: FileStream): number {
  try {
    // A directory's entries are its data, but only fsync guarantees them on every file system.
    if (engine.FS.isDir(stream.node.mode)) fs.fsyncSync(stream.nfd)
    else fs.fdatasyncSync(stream.nfd)
    return 0
  } catch {
    return ioError // PostgreSQL stops on this, as it must, because it may not acknowledge what the disk refused.
  }
}

async function flushTree(root: string): Promise<void> {
  const names = fs.readdirSync(root, { recursive: true, encoding: 'utf8' })
  const paths = [root, ...names.map((name) => path.join(root, name))]
  for (let at = 0; at < paths.length; at += flushedAtOnce) {
    await Promise.all(paths.slice(at, at + flushedAtOnce).map(flushPath))
  }
}

async function flushPath(at: string): Promise<void> {
  const file = await fs.promises.open(at, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

// The package's type lacks the two members that we use, but every Emscripten build with NODEFS has them.
function asEmscripten(module: unknown): Emscripten {
  return module as Emscripten
}
