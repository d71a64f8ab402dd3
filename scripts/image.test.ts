// The container image and its composition, by rule: what a reviewer would look for, so that nobody has to remember to.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { loadSettings } from '../server/src/kernel/settings/index.ts'
import { buildServer } from './build-server.ts'

const ROOT = path.join(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8')

type Instruction = { readonly name: string; readonly words: string }

/** The stages of the Dockerfile, each from its FROM on, without comments and with continued lines in one. */
function stages(): Instruction[][] {
  const lines = read('Dockerfile')
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
  const all: Instruction[][] = []
  for (const line of lines.split('\n').filter((one) => one.trim() !== '')) {
    const [, name = '', words = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? []
    if (name === 'FROM') all.push([])
    all.at(-1)?.push({ name, words })
  }
  return all
}

test('the image runs as nobody of importance, with what the build made and nothing else', () => {
  const all = stages()
  const last = all.at(-1) ?? []
  const of = (name: string) => last.filter((one) => one.name === name).map(({ words }) => words)
  assert.ok(all.length > 1, 'what builds it is not in it')
  for (const stage of all)
    assert.match(
      stage[0]?.words ?? '',
      /^node:24(\.[\d.]+)?-[a-z]+-slim(@sha256:\w+)?( AS \w+)?$/,
      'a version that is named',
    )
  const [user = 'root'] = of('USER')
  assert.ok(user !== 'root' && !/^0\b/.test(user))
  assert.ok(
    last.findIndex(({ name }) => name === 'USER') < last.findIndex(({ name }) => name === 'CMD'),
    'it is nobody before it runs',
  )
  assert.deepEqual(
    of('COPY').filter((words) => !words.startsWith('--from=build /repository/dist')),
    [],
    'only what was built',
  )
  assert.deepEqual(of('ADD'), [])
  for (const words of of('RUN'))
    assert.doesNotMatch(words, /\b(npm|yarn|pnpm|curl|wget|apt-get)\b/, 'nothing is installed in it')
  assert.equal(of('HEALTHCHECK').length, 1)
  assert.match(of('HEALTHCHECK')[0] ?? '', /--timeout=.*\/health/)
  assert.match(of('CMD')[0] ?? '', /^\["node", /, 'no shell between it and its signals')
  assert.match(of('ENV').join(' '), /NODE_ENV=production.*Environment=Production/)
  assert.doesNotMatch(read('Dockerfile'), /\b(ARG|ENV)\b.*(KEY|SECRET|PASSWORD|TOKEN)/i, 'no secret is in a layer')
})

test('what the image holds has no tests, no development and no sources of the repository', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tether-image-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  await buildServer(folder)
  const files = globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => path.relative(folder, path.join(one.parentPath, one.name)))
  assert.ok(files.length > 20)
  const unwanted =
    /\.(test|proof|browser)\.|(^|\/)(testkit|proofs|fixtures|\.git|\.ci|\.data)\/|^(bench|cli|demo|sdk)\/(?!README\.md$)|\.env|(?<!\.d)\.ts$/
  assert.deepEqual(
    files.filter((file) => unwanted.test(file)),
    [],
  )
  const packages = new Set(files.flatMap((file) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []))
  assert.deepEqual([...packages], ['node_modules/@electric-sql/pglite'])
  const said = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  // What it names it also brings, so that nothing has to be installed.
  assert.deepEqual(Object.keys(said.dependencies), ['@electric-sql/pglite'])
  assert.deepEqual([said.bundleDependencies, said.devDependencies], [['@electric-sql/pglite'], undefined])
})

test('what never goes to the builder is left out', () => {
  const ignored = read('.dockerignore').split('\n')
  for (const name of ['node_modules', '.git', '.data', 'dist']) assert.ok(ignored.includes(name), name)
})

/** Each service of the composition with the text below its name. */
function services(): ReadonlyMap<string, string> {
  const [, all = ''] = /^services:\n([\s\S]*?)(?=^\w)/m.exec(read('compose.yaml')) ?? []
  return new Map(
    [...all.matchAll(/^ {2}(\w+):\n((?: {4}.*\n| *#.*\n|\n)*)/gm)].map(([, name = '', text = '']) => [name, text]),
  )
}

test('the composition starts: Production accepts its settings as they stand there', () => {
  // Both that serve and that migrate have these.
  for (const name of ['tether', 'migrate'])
    assert.match(services().get(name) ?? '', /^ {4}environment:.*\n?.*\*settings$/m)
  const [, block = ''] = /^x-settings: &settings\n((?: {2}.*\n)*)/m.exec(read('compose.yaml')) ?? []
  const written = [...block.matchAll(/^ {2}(\w+): (.+)$/gm)].map(([, name = '', value = '']) => [name, value] as const)
  assert.ok(written.length > 4)
  const given: Readonly<Record<string, string>> = {
    PUBLIC_URL: 'https://assistant.example.com',
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    OPERATOR_KEY: randomBytes(32).toString('hex'),
    IP_HASH_SALT: randomBytes(32).toString('hex'),
  }
  const filled = written.map(([name, value]) => [
    name,
    value.replace(/\$\{(\w+)(:-)?[^}]*\}/g, (_, asked: string, open) => given[asked] ?? (open ? '' : 'a-password')),
  ])
  const loaded = loadSettings({
    env: Object.fromEntries(filled),
    readFile: (file) => read(path.relative(ROOT, path.resolve(ROOT, file))),
  })
  assert.deepEqual(loaded.ok ? [] : loaded.faults.map(({ message }) => message), [])
  const unknown = loaded.warnings.filter(({ message }) => /has no effect/.test(message))
  assert.deepEqual(
    unknown.map(({ message }) => message),
    [],
    'a setting that there is not',
  )
  for (const [name, value] of written)
    assert.ok(
      !/KEY|PASSWORD|SALT/i.test(name) || /\$\{\w+:\?/.test(value),
      `${name} must come from outside, and be asked for`,
    )
})

test('every service comes back, and what others wait for says when it is ready', () => {
  const all = services()
  assert.ok(all.size >= 3)
  // What is asked for by its name runs once.
  const standing = [...all].filter(([, text]) => !/^ {4}profiles:/m.test(text))
  for (const [name, text] of standing) {
    assert.match(text, /^ {4}restart: unless-stopped$/m, name)
    // The image of the service brings its own.
    if (name !== 'tether') assert.match(text, /^ {4}healthcheck:$/m, name)
    if (name !== 'tether') assert.doesNotMatch(text, /^ {4}ports:/m, `${name} is nobody’s business outside`)
    assert.doesNotMatch(text, /image: \S+:latest|image: [^:\s]+$/m, `${name} names its version`)
  }
  assert.doesNotMatch(all.get('tether') ?? '', /condition: service_started/)
})
