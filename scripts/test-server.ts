// `npm run test:server`: the tests that use a database, again, on a real PostgreSQL server with several connections.
import { readFileSync } from 'node:fs'
import { startPostgres } from './private-postgres.ts'
import { runTests, testFiles } from './test-files.ts'

const usesDatabase = /testkit\/(house|database)\.ts|TEST_DATABASE_URL/
const files = testFiles().filter((file) => usesDatabase.test(readFileSync(file, 'utf8')))
const given = process.env.TEST_DATABASE_URL
const own = given === undefined ? await startPostgres() : undefined
const url = given ?? own?.url
if (url === undefined) {
  console.error('There is no PostgreSQL server here: apt-get install postgresql, or set TEST_DATABASE_URL.')
  process.exit(1)
}
try {
  process.exitCode = await runTests(files, { TEST_DATABASE_URL: url })
} finally {
  await own?.stop()
}
