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
const onServer = files.filter((file) => file.includes('races'))
const needsServer = onServer.length > 0 && process.env.TEST_DATABASE_URL === undefined
const own = needsServer ? await startPostgres() : undefined
const url = process.env.TEST_DATABASE_URL ?? own?.url
try {
  // Without a file the runner would take every test of the house.
  const server = url === undefined || onServer.length === 0 ? 0 : await runTests(onServer, { TEST_DATABASE_URL: url })
  const embedded = await runTests(files, {}, ['--test-concurrency=1'])
  process.exitCode = server || embedded
} finally {
  await own?.stop()
}
