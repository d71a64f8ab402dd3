import { readFileSync } from 'node:fs'
import { MemoryFS, type PGlite } from '@electric-sql/pglite'

// The part of Emscripten that we use here. The package does not declare a type for it.
type Files = {
  mkdirTree(at: string): void
  writeFile(at: string, bytes: Uint8Array, options: { canOwn: true }): void
}

type Entry = { readonly name: string; readonly isFolder: boolean; readonly bytes: Buffer }

const mountPoint = '/pglite/data'
const block = 512

/**
 * The files of a cluster in memory, as a snapshot has them. PGlite's own way to load one copies every byte several times, which is
 * half of what it takes to open a database for a test.
 */
export class SnapshotFiles extends MemoryFS {
  readonly #snapshot: string

  constructor(snapshot: string) {
    super()
    this.#snapshot = snapshot
  }

  override async init(pg: PGlite, options: Parameters<MemoryFS['init']>[1]): ReturnType<MemoryFS['init']> {
    const made = await super.init(pg, options)
    const load = (module: unknown): void => fill(filesOf(module), readFileSync(this.#snapshot))
    const emscriptenOpts = { ...made.emscriptenOpts, preRun: [...(made.emscriptenOpts.preRun ?? []), load] }
    return { ...made, emscriptenOpts }
  }
}

/** The engine keeps each file as a part of the snapshot's own bytes until it writes to it. */
function fill(files: Files, snapshot: Buffer): void {
  files.mkdirTree(mountPoint)
  for (const { name, isFolder, bytes } of entriesOf(snapshot)) {
    const at = `${mountPoint}/${name}`
    if (isFolder) files.mkdirTree(at)
    else files.writeFile(at, bytes, { canOwn: true })
  }
}

/** What PGlite writes is a plain `ustar`: folders and files, each behind a block of its own. */
function* entriesOf(tar: Buffer): Generator<Entry> {
  for (let at = 0; at < tar.length && tar[at] !== 0; ) {
    const bytes = Number.parseInt(textIn(tar, at + 124, 12), 8)
    const content = at + block
    yield {
      name: textIn(tar, at, 100),
      isFolder: textIn(tar, at + 156, 1) === '5',
      bytes: tar.subarray(content, content + bytes),
    }
    at = content + Math.ceil(bytes / block) * block
  }
}

const textIn = (tar: Buffer, at: number, length: number): string =>
  tar.toString('latin1', at, at + length).split('\0', 1)[0] ?? ''

// The package's type lacks the member that we use, but every Emscripten build has it.
function filesOf(module: unknown): Files {
  return (module as { FS: Files }).FS
}
