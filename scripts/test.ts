// `npm test`: every test, on the embedded database. CONTRIBUTING.md lists what may follow.
import { runTestsTogether, testFiles } from './test-files.ts'
import { describeNoFiles, selectFiles, testOptions } from './test-options.ts'

const options = testOptions(process.argv.slice(2))
const files = selectFiles(testFiles(), options)
if (files.length === 0) {
  console.error(describeNoFiles(options))
  process.exit(options.changed ? 0 : 1)
}
process.exitCode = await runTestsTogether({ files, command: 'npm test --' }, options)
