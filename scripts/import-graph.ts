// Which files a file depends on, read from the relative paths and workspace names in its text. An approximation that includes too much
// rather than too little: a path in a string counts as a dependency, so programs that a test starts and files that it reads are found.
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'

const SOURCES = '{action,bench,cli,conformance,contract,demo,scripts,sdk,server,widget}/**/*.{ts,tsx,mjs,js}'
const IGNORED = ['**/node_modules/**', '**/dist/**']

/** Neither comments nor imports of types are there when a file runs. */
const ERASED = /^ *(?:\/\/|\/?\*).*$|^(?:import|export) type [^'"]* from ['"].*$/gm
const QUOTED = /(['"`])((?:@tether\/|\.{1,2}\/|\w)[\w@./*-]*)\1?/g
/** Folders that nearly every path leads through. A test that names one of them reads something particular below it. */
const TOO_WIDE = new Set(['', '.', 'server', 'server/src', 'scripts', 'cli', 'sdk', 'demo', 'widget', 'bench'])

/** They import every room, and every test that opens the service imports them. */
const WIRING = /^server\/src\/(?:all-routes|app|core|offers|module|modules)\.ts$/
const MODULE = /^server\/src\/modules\/[^/]+\/module\.ts$/
const ROOM = /^server\/src\/[^/]+\/(?:[^/]+(?=\/))?/

/** Relative paths of the files that `file` imports by `from '…'`. Both are relative to the working directory. */
export function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  // A test may contain the text of a file that does not exist.
  return [...text.matchAll(/from '(\.[^']+\.ts)'/g)]
    .map(([, to = '']) => path.join(path.dirname(file), to))
    .filter((to) => existsSync(to))
}

/** The files and folders that a text names: beside its own file, from the root of the repository, or as a workspace. */
function namedIn(file: string, text: string): string[] {
  const found = [...text.replaceAll(ERASED, '').matchAll(QUOTED)].flatMap(([, , name = '']) => {
    if (name.startsWith('@tether/')) return workspacePaths(name)
    const literal = name.replace(/\*.*$/, '')
    const beside = path.join(path.dirname(file), literal)
    return name.startsWith('.') ? [beside] : literal.includes('/') || literal.includes('.') ? [beside, literal] : []
  })
  return [...new Set(found.map((one) => path.normalize(one).replace(/\/$/, '')))].filter(
    (one) => !one.startsWith('..') && !TOO_WIDE.has(one) && existsSync(one),
  )
}

const workspacePaths = (name: string): string[] => {
  const [, workspace = ''] = name.split('/')
  return [`${workspace}/src`, `${workspace}/src/index.ts`]
}

/** For every named file or folder, the sources that name it. */
function readDependents(): Map<string, string[]> {
  const dependents = new Map<string, string[]>()
  for (const file of globSync(SOURCES, { exclude: IGNORED })) {
    for (const named of namedIn(file, readFileSync(file, 'utf8'))) {
      dependents.set(named, [...(dependents.get(named) ?? []), file])
    }
  }
  return dependents
}

const foldersAbove = (file: string): string[] => {
  const parent = path.dirname(file)
  return parent === '.' ? [] : [parent, ...foldersAbove(parent)]
}

/**
 * The changed files, every source that depends on one of them, and the tests of their rooms. What depends on a change only through the
 * wiring is left out: that is nearly every test.
 */
export function dependentsOf(changed: readonly string[]): Set<string> {
  const dependents = readDependents()
  const rooms = new Set(changed.map((file) => ROOM.exec(file)?.[0]).filter((room) => room !== undefined))
  const reached = new Set([...changed, ...[...rooms].flatMap((room) => globSync(`${room}/**/*.test.ts`))])
  const changesWiring = changed.some((file) => WIRING.test(file) || MODULE.test(file))
  // A Set yields what is added while it is read.
  for (const file of reached) {
    if (WIRING.test(file) && !changesWiring) continue
    // A folder that is named stands for its files, not for what they depend on.
    for (const at of [file, ...(changed.includes(file) ? foldersAbove(file) : [])]) {
      for (const dependent of dependents.get(at) ?? []) reached.add(dependent)
    }
  }
  return reached
}

const IMPORT = /(?:from|import) '(\.[^']+\.ts)'|import\('(\.[^']+\.ts)'\)/g

/** Each file with the files that import it. */
export type Importers = ReadonlyMap<string, readonly string[]>

export function readImporters(root = '.'): Importers {
  const importers = new Map<string, string[]>()
  for (const file of globSync(SOURCES, { cwd: root, exclude: ['**/node_modules/**'] }).sort()) {
    for (const [, named, lazy] of readFileSync(path.join(root, file), 'utf8').matchAll(IMPORT)) {
      const imported = path.join(path.dirname(file), named ?? lazy ?? '')
      importers.set(imported, [...(importers.get(imported) ?? []), file])
    }
  }
  return importers
}

/** The files that import a file, directly or through others, with the number of imports between them. */
export function importDistances(file: string, importers: Importers): ReadonlyMap<string, number> {
  const distances = new Map([[file, 0]])
  for (const [reached, distance] of distances)
    for (const importer of importers.get(reached) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1)
  return distances
}
