// The files of the repository, and which commit they are of.
import { execFileSync } from 'node:child_process'
import { globSync, lstatSync, readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { code } from './markdown.ts'
import { Failed } from './problem.ts'

export type Source = {
  readonly kind: 'repository'
  readonly commit: string
  readonly path: string
  readonly dirty: boolean
}
export type Workspace = {
  /** @throws Failed */
  read(file: string): string
  /** The files that the patterns take and do not leave out, by name. */
  match(patterns: readonly string[]): string[]
  sourceOf(file: string): Source
}

const MOST_BYTES = 32 * 1024 * 1024

export function openWorkspace(folder: string, commit: string): Workspace {
  const root = realpathSync(folder)
  const changed = changedFiles(root)
  return {
    read: (file) => readInside(root, file),
    match(patterns) {
      const exclude = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1))
      const taken = patterns.filter((pattern) => !pattern.startsWith('!'))
      return globSync(taken, { cwd: root, exclude: ['.git/**', ...exclude] })
        .map((file) => file.replaceAll(path.sep, '/'))
        .filter((file) => isFile(path.join(root, file)))
        .sort()
    },
    sourceOf: (file) => ({
      kind: 'repository',
      commit: headOf(root) ?? commit,
      path: file,
      // Where git cannot tell, nobody can say that it is as it was committed.
      dirty: changed === null || changed.has(file),
    }),
  }
}

const isFile = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false })?.isFile() === true

/**
 * A pull request may bring a link along that leads to another file of the machine, and the checkout keeps a token in `.git`. What is read
 * here is sent, and partly shown.
 */
function readInside(root: string, file: string): string {
  const missing = (next: string) => new Failed({ what: `${code(file)} cannot be read.`, next })
  const at = path.resolve(root, file)
  const place = path.relative(root, at).split(path.sep)
  if (place[0] === '..' || place[0] === '.git' || path.isAbsolute(file))
    throw missing('Name a file inside of the repository, by its path from there.')
  const found = lstatSync(at, { throwIfNoEntry: false })
  if (found === undefined)
    throw missing('There is no such file. Check the path, and that the repository was checked out before this step.')
  if (!found.isFile() || realpathSync(at) !== at)
    throw missing('It is no plain file of the repository, but a folder or a link. Name the file itself.')
  if (found.size > MOST_BYTES) throw missing('It is longer than 32 MiB, which is the most. Name a shorter one.')
  return readFileSync(at, 'utf8').replace(/^\ufeff/, '')
}

function git(root: string, ...words: string[]): string | null {
  try {
    return execFileSync('git', words, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: MOST_BYTES,
    })
  } catch {
    // There is no git here, or the folder is no clone.
    return null
  }
}

const headOf = (root: string): string | null => git(root, 'rev-parse', 'HEAD')?.trim() ?? null

/** Null where git cannot tell. */
function changedFiles(root: string): ReadonlySet<string> | null {
  const listed = git(root, 'status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=all')
  return listed === null ? null : new Set(listed.split('\0').map((line) => line.slice(3)))
}
