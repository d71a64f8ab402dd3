import { constants, copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { type Command, EXIT, UsageError } from '../command.ts'
import { oneLine } from '../screen.ts'

const MANIFEST = 'package.json'
const START = 'node receiver.mjs'
const TEST = 'node --test'
const FILES = ['tools.json', 'receiver.mjs', 'receiver.test.mjs', 'trials.json']
/** Beside `dist` in the package. */
const TEMPLATE = new URL('../template/', import.meta.url)

export const init: Command = {
  takes: '',
  does: 'Writes a catalog, a receiver for its calls with the SDK, a test that passes, and cases to try. Replaces nothing.',
  async run({ words, screen }) {
    if (words.length > 0)
      throw new UsageError('It writes into the folder where you are: go there, and say `tether init`.')
    const there = FILES.filter((name) => existsSync(name))
    if (there.length > 0)
      throw new UsageError(
        `${there.join(', ')} ${there.length === 1 ? 'is' : 'are'} there already, and nothing was written.`,
      )
    const isNew = !existsSync(MANIFEST)
    if (isNew) writeFileSync(MANIFEST, manifest(nameOf(process.cwd())), { flag: 'wx' })
    const starts = isNew || addScripts()
    for (const name of FILES) copyFileSync(new URL(name, TEMPLATE), name, constants.COPYFILE_EXCL)
    const written = [...(isNew ? [MANIFEST] : []), ...FILES]
    if (screen.isJson) screen.json({ files: written })
    else for (const name of written) screen.data(name)
    const steps = [
      ...(hasSdk() ? [] : [['npm install ./tether-sdk-….tgz', 'the SDK: docs/cli.md says where it comes from']]),
      ['node --test', 'the test of the receiver passes'],
      ['npx tether push', 'registers tools.json'],
      [starts ? 'npm start' : START, 'the receiver, in a terminal of its own'],
      ['npx tether listen', 'hands it calls and events, in another'],
      ['npx tether call get_order number=A-1001', 'a read; `stage` and `approve` are for writes'],
    ] as const
    screen.good('Written. Next:')
    const isNarrow = screen.width < 96
    for (const [line, what] of steps) {
      screen.say(isNarrow ? `  ${line}` : `  ${line.padEnd(40)}  ${what}`)
      if (isNarrow) screen.say(`      ${what}`)
    }
    return EXIT.ok
  },
}

const manifest = (name: string): string =>
  `${JSON.stringify({ name, private: true, type: 'module', scripts: { start: START, test: TEST } }, null, 2)}\n`

/** As npm takes it. */
const nameOf = (folder: string): string =>
  path
    .basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '') || 'receiver'

/** `npm init -y` has made a manifest whose test fails on purpose. What somebody wrote stays. */
function addScripts(): boolean {
  const text = readFileSync(MANIFEST, 'utf8')
  try {
    const said = JSON.parse(text) as { scripts?: Record<string, string> }
    const { start = START, test = TEST } = said.scripts ?? {}
    const isPlaceholder = /^echo .*no test specified.* && exit 1$/.test(test)
    const scripts = { ...said.scripts, start, test: isPlaceholder ? TEST : test }
    writeFileSync(MANIFEST, `${JSON.stringify({ ...said, scripts }, null, 2)}\n`)
    return start === START
  } catch (error) {
    throw new UsageError(`${MANIFEST} is not JSON: ${oneLine(String(error))}`)
  }
}

function hasSdk(): boolean {
  try {
    createRequire(path.resolve('receiver.mjs')).resolve('@tether/sdk')
    return true
  } catch {
    return false
  }
}
