// `npm run prove [name …]`: the heavier proofs of the whole service (kills, power cuts, races, fuzz), on both databases where it matters.
import { globSync } from 'node:fs'
import path from 'node:path'
import { startPostgres } from './private-postgres.ts'
import { runTests } from './test-files.ts'

const wanted = process.argv.slice(2)
const all = globSync('server/proofs/*.proof.ts').sort()
const files = all.filter(
  (file) => wanted.length === 0 || wanted.some((name) => path.basename(file) === `${name}.proof.ts`),
)
/** What measures time, or fills the machine by itself. The others wait for much of theirs, and go two at a time. */
const wantsAll = (file: string): boolean => /\/(card|hostile-[a-z]+|fuzz[a-z-]*|kill)\.proof\.ts$/.test(file)
const onServer = files.filter((file) => file.includes('races'))
const needsServer = onServer.length > 0 && process.env.TEST_DATABASE_URL === undefined
const own = needsServer ? await startPostgres() : undefined
const url = process.env.TEST_DATABASE_URL ?? own?.url
try {
  // Without a file the runner would take every test of the house.
  const server = url === undefined || onServer.length === 0 ? 0 : await runTests(onServer, { TEST_DATABASE_URL: url })
  const [alone, others] = [files.filter(wantsAll), files.filter((file) => !wantsAll(file))]
  const first = alone.length === 0 ? 0 : await runTests(alone, {}, ['--test-concurrency=1'])
  const second = others.length === 0 ? 0 : await runTests(others, {}, ['--test-concurrency=2'])
  process.exitCode = server || first || second
} finally {
  await own?.stop()
}
