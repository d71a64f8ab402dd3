// Plain JavaScript, so that an old Node can read it and say what is missing.
import { existsSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  const isClone = existsSync(new URL('../package-lock.json', import.meta.url))
  process.stderr.write(
    `Tether needs Node 24 or newer, and this is ${process.version}.\n` +
      (isClone
        ? 'On Linux (x64, arm64) `npm ci` brings Node 24 along: run the service with `npm start`.\n' +
          'On another system install Node 24 first: https://nodejs.org/\n'
        : 'What `npm run build` makes brings no Node along. Install Node 24, put it first in PATH, and run this again: https://nodejs.org/\n'),
  )
  process.exit(1)
}
// What was compiled is kept beside the packages that it came from, and the next start takes a third of the time. Node checks
// each entry against its source; where the folder cannot be written there is no cache, and nothing else changes.
module.enableCompileCache?.(fileURLToPath(new URL('../node_modules/.cache/tether', import.meta.url)))
await import('./src/main.ts')
