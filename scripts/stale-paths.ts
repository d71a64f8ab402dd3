// A rule for a folder that was renamed holds nothing and reports nothing. These are the rules outside the scripts that use findFiles.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { TABLES } from '../server/migrations/tables.ts'
import { DIVIDED_TESTS } from './divided-tests.ts'
import { findFiles } from './files.ts'

type ImportRule = { readonly name: string; readonly from: Matcher; readonly to: Matcher }
type Matcher = { readonly path?: string; readonly pathNot?: string }

export function stalePathFaults(): string[] {
  const { forbidden } = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as { forbidden: ImportRule[] }
  return [
    ...importRuleFaults(forbidden, findFiles('{action,cli,contract,server,sdk,demo,widget,bench,scripts}/**/*.ts')),
    ...biomeFaults(JSON.parse(readFileSync('biome.json', 'utf8')) as BiomeConfig),
    ...roomFaults(Object.values(TABLES).map(({ owner }) => owner)),
    ...Object.keys(DIVIDED_TESTS)
      .filter((start) => !findFiles('server/**/*.test.ts').some((file) => file.startsWith(start)))
      .map((start) => `scripts/divided-tests.ts: no test begins with ${start}.`),
  ]
}

/** A pattern for packages, or one that repeats part of the other side (`$1`), cannot be compared with our files. */
const IS_OF_OTHERS = /^[^^]|node_modules|\$\d/

export function importRuleFaults(rules: readonly ImportRule[], files: readonly string[]): string[] {
  return rules.flatMap(({ name, from, to }) =>
    [from, to]
      .filter(({ path = '' }) => path !== '' && !IS_OF_OTHERS.test(path))
      .filter(
        ({ path = '', pathNot }) => !files.some((file) => matches(file, path) && !(pathNot && matches(file, pathNot))),
      )
      .map(({ path }) => `.dependency-cruiser.cjs: ${name}: no file matches ${path}`),
  )
}

const matches = (file: string, pattern: string): boolean => new RegExp(pattern).test(file)

type BiomeConfig = {
  readonly files: { readonly includes: readonly string[] }
  readonly overrides: readonly { readonly includes: readonly string[] }[]
}

export function biomeFaults({ files, overrides }: BiomeConfig): string[] {
  const patterns = [files, ...overrides].flatMap(({ includes }) => includes.map((one) => one.replace(/^!/, '')))
  return patterns.filter((one) => !matchesSome(one)).map((one) => `biome.json: no file matches ${one}`)
}

function matchesSome(pattern: string): boolean {
  if (!pattern.includes('*')) return existsSync(pattern)
  try {
    return findFiles(pattern).length > 0
  } catch {
    return false
  }
}

const roomFaults = (rooms: readonly string[]): string[] =>
  [...new Set(rooms)]
    .filter((room) => !existsSync(`server/src/${room}/index.ts`))
    .map((room) => `server/migrations/tables.ts: there is no room ${room}.`)
