// `npm run test:server`: the tests that use a database, again, on a real PostgreSQL server with several connections. Words after it are
// files or parts of their names. With TEST_PARTITIONS and without words, only the tests in divided-tests.ts.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { runsDivided } from './divided-tests.ts'
import { importsOf } from './import-graph.ts'
import { startPostgres } from './private-postgres.ts'
import { runTestsTogether, testFiles } from './test-files.ts'
import { describeChoice, describeNoFiles, selectFiles, testOptions } from './test-options.ts'

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
const BEHIND_A_BALANCER = /\/features\/(?:actions|chat|events|listening)\//
const INSTANCES = '3'

/** These try programs and pages beside a service that runs, and hardly its database. */
const OF_OTHERS = /^(?:action|cli)\/|\/surfaces\/docs\//

const options = testOptions(process.argv.slice(2))
const partitions = process.env.TEST_PARTITIONS
const isWanted = (file: string): boolean =>
  partitions === undefined || options.words.length > 0 ? !OF_OTHERS.test(file) : runsDivided(file)
const all = testFiles()
const files = selectFiles(all, options).filter((file) => isWanted(file) && usesDatabase(file))
if (files.length === 0) {
  console.error(describeNoFiles(options, 'test file that uses a database'))
  process.exit(options.changed ? 0 : 1)
}
if (options.changed) console.log(describeChoice(files.length, all.length))
const isBehind = (file: string): boolean => BEHIND_A_BALANCER.test(file)
const given = process.env.TEST_DATABASE_URL
const own = given === undefined ? await startPostgres({ durable: false }) : undefined
const url = given ?? own?.url
if (url === undefined) {
  console.error('There is no PostgreSQL server here: apt-get install postgresql, or set TEST_DATABASE_URL.')
  process.exit(1)
}
try {
  const command = `${partitions === undefined ? '' : `TEST_PARTITIONS=${partitions} `}npm run test:server --`
  const env = { TEST_DATABASE_URL: url }
  const [several, others] = [files.filter(isBehind), files.filter((file) => !isBehind(file))]
  // Without a file the runner would take every test of the house.
  const first =
    several.length === 0
      ? 0
      : await runTestsTogether({ files: several, command, env: { ...env, TEST_INSTANCES: INSTANCES } }, options)
  const second = others.length === 0 ? 0 : await runTestsTogether({ files: others, command, env }, options)
  process.exitCode = first || second
} finally {
  await own?.stop()
}
