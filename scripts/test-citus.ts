// `npm run test:citus`: the tests that use a database, again, on Citus: a coordinator and two workers, over which the tables are
// distributed by tenant. Words after it are files or parts of their names. Where TEST_DATABASE_URL names a coordinator and
// TEST_CITUS_WORKERS its workers (with commas between them), it runs on those, and otherwise starts its own.
import { describeSkipped, skipFlags } from './citus-tests.ts'
import { startCitus } from './private-citus.ts'
import { runServerTests, serverTests } from './server-tests.ts'
import { testOptions } from './test-options.ts'

const options = testOptions(process.argv.slice(2))
const files = serverTests(options, () => true)
const { TEST_DATABASE_URL: url, TEST_CITUS_WORKERS: workers } = process.env
const isGiven = url !== undefined && workers !== undefined
const own = isGiven ? undefined : await startCitus({ durable: false })
const at = isGiven ? { url, workers: workers.split(',') } : own
if (at === undefined) {
  console.error(
    'No PostgreSQL here has Citus: docs/scale.md says how to build it, and how to name servers that have it.',
  )
  process.exit(1)
}
try {
  const env = { TEST_DATABASE_URL: at.url, TEST_CITUS_WORKERS: at.workers.join(',') }
  process.exitCode = await runServerTests({ files, command: 'npm run test:citus --', env, flags: skipFlags() }, options)
  console.log(describeSkipped(files))
} finally {
  await own?.stop()
}
