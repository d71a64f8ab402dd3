// `npm test`: every test, on the embedded database. Words after it are files or parts of their names.
import { runTestsTogether, wantedFiles } from './test-files.ts'

const wanted = process.argv.slice(2)
const files = wantedFiles(wanted)
if (files.length === 0) {
  console.error(`No test file is called like ${wanted.join(' or ')}.`)
  process.exit(1)
}
process.exitCode = await runTestsTogether(files)
