// `npm run test:browser`: what only a browser can tell, in Debian's chromium. Words after it are parts of file names.

import { findFiles } from './files.ts'
import { runTests } from './test-files.ts'
import { describeChoice, describeNoFiles, selectFiles, testOptions } from './test-options.ts'

const options = testOptions(process.argv.slice(2))
const all = findFiles('{widget,server}/**/*.browser.ts')
const files = selectFiles(all, options)
if (files.length === 0) {
  console.error(describeNoFiles(options, 'browser test'))
  process.exit(options.changed ? 0 : 1)
}
if (options.changed) console.log(describeChoice(files.length, all.length, 'browser tests'))
process.exitCode = await runTests(
  { files, command: 'npm run test:browser --', flags: ['--test-concurrency=2'] },
  options,
)
