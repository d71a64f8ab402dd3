// An operator can run what the pages tell to run: each command is the service's own, and so is in whatever runs the service.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const ROOT = path.join(import.meta.dirname, '../../..')
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8')
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

const OF_THE_SERVICE = /^exec node server\/start\.mjs ([\w-]+)$/

test('every command of operations.md is one of the service, which the image holds', () => {
  const page = read('docs/operations.md')
  const named = new Set([...page.matchAll(/npm (?:run )?([\w:-]+)/g)].map(([, name = '']) => name))
  // `npm run build` makes what the image holds, and the rest of the sentence about npm itself is no command.
  for (const other of ['build', 'passes']) named.delete(other)
  assert.ok(named.size >= 6, [...named].join(' '))
  for (const name of named) assert.match(scripts[name] ?? '(there is none)', OF_THE_SERVICE, `npm run ${name}`)
  assert.doesNotMatch(page, /node scripts\//)
})

test('every script of the service is a command that it knows', () => {
  const known = /Choose one of: (.+)\.\n$/.exec(
    spawnSync(process.execPath, [path.join(ROOT, 'server/start.mjs'), 'no-such-command'], { encoding: 'utf8' }).stderr,
  )
  const commands = Object.values(scripts).flatMap((script) => OF_THE_SERVICE.exec(script)?.[1] ?? [])
  assert.deepEqual((known?.[1] ?? '').split(', ').toSorted(), commands.toSorted())
})

test('the pages name no script that there is not', () => {
  for (const file of ['README.md', 'CONTRIBUTING.md', ...globSync('docs/*.md', { cwd: ROOT })]) {
    for (const [, name = ''] of read(file).matchAll(/npm run ([\w:-]+)/g))
      assert.ok(scripts[name] !== undefined || name === 'build', `${file}: npm run ${name}`)
  }
})

const addressIn = (text: string): string | undefined => /v1\/signup -d '\{"email": ?"([^"]+)"/.exec(text)?.[1]

test('the README and the first screen sign up with different addresses, because an address has one workspace', () => {
  const [readme, screen] = [addressIn(read('README.md')), addressIn(read('server/src/process/screen.ts'))]
  assert.ok(readme !== undefined && screen !== undefined)
  assert.notEqual(readme, screen)
})

test('the README’s Node starts the service, and npm says nothing against it', () => {
  const promised = Number(/Node (\d+) or newer/.exec(read('README.md'))?.[1])
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { engines?: { node?: string } }>
  }
  // npm holds packages against the Node that it runs on itself. The service runs on the one that comes with the packages.
  const complaints = Object.values(packages).filter(
    ({ engines }) => Number(/^>=(\d+)/.exec(engines?.node ?? '')?.[1] ?? 0) > promised,
  )
  assert.ok(complaints.length === 0 || /^loglevel=error$/m.test(read('.npmrc')), `${complaints.length} packages`)
})
