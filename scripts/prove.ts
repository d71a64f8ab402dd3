// `npm run prove [name …]`: the heavier proofs of the whole service (kills, power cuts, races, fuzz), on both databases where it matters.
import path from 'node:path'
import { findFiles } from './files.ts'
import { startPostgres } from './private-postgres.ts'
import { runTests } from './test-files.ts'
import { describeNoFiles, testOptions } from './test-options.ts'

// The figures that a proof prints are its result, so they are shown.
const options = { ...testOptions(process.argv.slice(2)), verbose: true }
const all = findFiles('server/proofs/*.proof.ts')
const nameOf = (file: string): string => path.basename(file, '.proof.ts')
const { words } = options
const files = all.filter((file) => words.length === 0 || words.includes(nameOf(file)) || words.includes(file))
if (files.length === 0) {
  console.error(describeNoFiles(options, 'proof'))
  process.exit(1)
}
/** What measures time, or fills the machine by itself. The others wait for much of theirs, and go two at a time. */
const wantsAll = (file: string): boolean => /\/(card|hostile-[a-z]+|fuzz[a-z-]*|kill)\.proof\.ts$/.test(file)
const onServer = files.filter((file) => file.includes('races'))
const needsServer = onServer.length > 0 && process.env.TEST_DATABASE_URL === undefined
const own = needsServer ? await startPostgres() : undefined
const url = process.env.TEST_DATABASE_URL ?? own?.url
try {
  const command = 'npm run prove --'
  const run = (some: readonly string[], env: Record<string, string>, atOnce: number): Promise<number> | number =>
    // Without a file the runner would take every test of the house.
    some.length === 0 ? 0 : runTests({ files: some, command, env, flags: [`--test-concurrency=${atOnce}`] }, options)
  const [alone, others] = [files.filter(wantsAll), files.filter((file) => !wantsAll(file))]
  const server = url === undefined ? 0 : await run(onServer, { TEST_DATABASE_URL: url }, 2)
  const first = await run(alone, {}, 1)
  const second = await run(others, {}, 2)
  process.exitCode = server || first || second
} finally {
  await own?.stop()
}
