// `npm run test:server`: the tests that use a database, again, on a real PostgreSQL server with several connections. Words after it are
// files or parts of their names. With TEST_PARTITIONS and without words, only the tests in divided-tests.ts.
import { runsDivided } from './divided-tests.ts'
import { startPostgres } from './private-postgres.ts'
import { runServerTests, serverTests } from './server-tests.ts'
import { testOptions } from './test-options.ts'

const options = testOptions(process.argv.slice(2))
const partitions = process.env.TEST_PARTITIONS
const files = serverTests(options, (file) => partitions === undefined || runsDivided(file))
const given = process.env.TEST_DATABASE_URL
const own = given === undefined ? await startPostgres({ durable: false }) : undefined
const url = given ?? own?.url
if (url === undefined) {
  console.error('There is no PostgreSQL server here: apt-get install postgresql, or set TEST_DATABASE_URL.')
  process.exit(1)
}
try {
  const command = `${partitions === undefined ? '' : `TEST_PARTITIONS=${partitions} `}npm run test:server --`
  process.exitCode = await runServerTests({ files, command, env: { TEST_DATABASE_URL: url } }, options)
} finally {
  await own?.stop()
}
