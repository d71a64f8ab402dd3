// `npm run test:browser`: the widget in Debian's chromium. Words after it are parts of the names of its files.
import { globSync } from 'node:fs'
import { runTests } from './test-files.ts'

const wanted = process.argv.slice(2)
const files = globSync('widget/testing/*.browser.ts')
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .sort()
process.exitCode = await runTests(files, {}, ['--test-timeout=120000'])
