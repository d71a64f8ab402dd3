// `npm test`: every test, on the embedded database. CONTRIBUTING.md lists what may follow.
import { runTestsTogether, testFiles } from './test-files.ts'
import { describeChoice, describeNoFiles, selectFiles, testOptions } from './test-options.ts'

const options = testOptions(process.argv.slice(2))
const all = testFiles()
const files = selectFiles(all, options)
if (files.length === 0) {
  console.error(describeNoFiles(options))
  process.exit(options.changed ? 0 : 1)
}
if (options.changed) console.log(describeChoice(files.length, all.length))
process.exitCode = await runTestsTogether({ files, command: 'npm test --' }, options)
