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

const mountPoint = '/pglite/data'
const ioError = 29 // EIO in the numbering of WASI, which is what the C side reads
// The pool of threads behind asynchronous file calls has four; more only keeps files open.
const flushedAtOnce = 32

/**
 * The files of the cluster, with an fsync that reaches the disk. Emscripten's own answers "done" and does nothing, so
 * every acknowledged commit would be lost with the power.
 *
 * A new cluster is made beside its place and moved there by `publish`: a kill in between never leaves a directory that
 * looks like a database and does not open.
 */
export class DurableFiles extends NodeFS {
  /** Whether there was no cluster yet. */
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

  /** Puts a new cluster on disk, then in its place. The engine goes on working in it. */
  async publish(): Promise<void> {
    if (this.rootDir === this.#place || this.#mount === undefined) return
    await flushTree(this.rootDir)
    fs.renameSync(this.rootDir, this.#place)
    await flushPath(path.dirname(this.#place))
    this.rootDir = this.#place
    this.#mount.opts.root = this.#place // every path is looked up from here anew; open files do not notice
  }
}

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

// The package types the module without the two members used here; they are part of every Emscripten build with NODEFS.
function asEmscripten(module: unknown): Emscripten {
  return module as Emscripten
}
