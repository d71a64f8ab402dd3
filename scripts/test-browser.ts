// `npm run test:browser`: what only a browser can tell, in Debian's chromium. Words after it are parts of file names.
import { globSync } from 'node:fs'
import { runTests } from './test-files.ts'

const wanted = process.argv.slice(2)
const files = globSync('{widget,server}/**/*.browser.ts', { exclude: ['**/node_modules/**'] })
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .sort()
process.exitCode = await runTests(files, {}, ['--test-timeout=600000', '--test-concurrency=2'])
