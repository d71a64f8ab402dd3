// The tests that use a database, for the commands that run them on a server.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { importsOf } from './import-graph.ts'
import { runTestsTogether, testFiles } from './test-files.ts'
import { describeChoice, describeNoFiles, selectFiles, type TestOptions } from './test-options.ts'

const OPENS_DATABASE = path.normalize('server/testkit/database.ts')
const known = new Map<string, boolean>()

/** Whether a file reaches the database of the tests, by itself or through whatever it imports. */
function usesDatabase(file: string): boolean {
  const seen = known.get(file)
  if (seen !== undefined) return seen
  known.set(file, false)
  const uses =
    file === OPENS_DATABASE ||
    readFileSync(file, 'utf8').includes('TEST_DATABASE_URL') ||
    importsOf(file).some(usesDatabase)
  known.set(file, uses)
  return uses
}

/**
 * Here a house is three instances of the service on one database, and each request goes to the next one: whatever one of them
 * keeps to itself shows.
 */
const BEHIND_A_BALANCER = /\/(?:actions|chat|events|listening)\//
const INSTANCES = '3'

/** These try programs and pages beside a service that runs, and hardly its database. */
const OF_OTHERS = /^(?:action|cli)\/|server\/src\/\w+\/docs\//

/** The chosen files. Ends the process if there are none. `isWanted` chooses among all files if no words name some. */
export function serverTests(options: TestOptions, isWanted: (file: string) => boolean): string[] {
  const isChosen = (file: string): boolean => (options.words.length > 0 || isWanted(file)) && !OF_OTHERS.test(file)
  const all = testFiles()
  const files = selectFiles(all, options).filter((file) => isChosen(file) && usesDatabase(file))
  if (files.length > 0 && options.changed) console.log(describeChoice(files.length, all.length))
  if (files.length > 0) return files
  console.error(describeNoFiles(options, 'test file that uses a database'))
  return process.exit(options.changed ? 0 : 1)
}

export type ServerRun = {
  readonly files: readonly string[]
  readonly command: string
  readonly env: Record<string, string>
  readonly flags?: readonly string[]
}

/** Runs them with three instances where that shows something, and returns the exit code. */
export async function runServerTests({ files, env, ...run }: ServerRun, options: TestOptions): Promise<number> {
  const isBehind = (file: string): boolean => BEHIND_A_BALANCER.test(file)
  const [several, others] = [files.filter(isBehind), files.filter((file) => !isBehind(file))]
  // Without a file the runner would take every test of the house.
  const first =
    several.length === 0
      ? 0
      : await runTestsTogether({ ...run, files: several, env: { ...env, TEST_INSTANCES: INSTANCES } }, options)
  const second = others.length === 0 ? 0 : await runTestsTogether({ ...run, files: others, env }, options)
  return first || second
}
