// Which files import a file, directly or through others.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

const SOURCES = '{action,cli,contract,server,sdk,demo,widget,bench,scripts}/**/*.ts'
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
