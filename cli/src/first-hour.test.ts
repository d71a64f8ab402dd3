// The first hour of docs/cli.md, from an empty folder: the service that `tether dev` runs, and what `tether init` writes.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { BINARY } from './fixtures/binary.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'tether-first-hour-')))
after(() => rmSync(folder, { recursive: true, force: true }))
mkdirSync(path.join(folder, 'node_modules/@tether'), { recursive: true })
symlinkSync(path.join(ROOT, 'sdk'), path.join(folder, 'node_modules/@tether/sdk'))

type Run = {
  readonly out: () => string
  readonly err: () => string
  readonly stop: (signal: NodeJS.Signals) => Promise<number | null>
}

function run(...words: readonly string[]): Run & { readonly ended: Promise<number | null> } {
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    // Each server takes a free port itself: a port that was free a minute ago may be taken by another test.
    PORT: '0',
    DATABASE_URL: 'postgres://somebody@127.0.0.1:9/else',
  }
  const child = spawn(process.execPath, ['--no-experimental-strip-types', ...words], { cwd: folder, env })
  const said = { out: '', err: '' }
  child.stdout.on('data', (piece) => {
    said.out += String(piece)
  })
  child.stderr.on('data', (piece) => {
    said.err += String(piece)
  })
  child.stdin.end()
  const ended = once(child, 'close').then(([code]) => code as number | null)
  after(() => void child.kill('SIGKILL'))
  return {
    out: () => said.out,
    err: () => said.err,
    ended,
    async stop(signal) {
      child.kill(signal)
      return await ended
    },
  }
}

/** To its end. What it wrote, once it ended well. */
async function tether(...words: readonly string[]): Promise<string> {
  const running = run(BINARY, ...words)
  assert.equal(await running.ended, 0, `tether ${words.join(' ')}: ${running.err()}`)
  return running.out()
}

async function until(what: string, holds: () => boolean | Promise<boolean>, writtenSoFar = () => ''): Promise<void> {
  for (const end = performance.now() + 120_000; !(await holds()); ) {
    if (performance.now() > end) assert.fail(`never: ${what}. ${writtenSoFar()}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** The lines of a block of the page, without what is said of each. */
function linesOf(begin: string): string[] {
  const page = readFileSync(path.join(ROOT, 'docs/cli.md'), 'utf8')
  const block = [...page.matchAll(/```sh\n([\s\S]*?)```/g)]
    .map(([, code = '']) => code)
    .find((code) => code.startsWith(begin))
  assert.ok(block !== undefined, `docs/cli.md has no block that begins with ${begin}.`)
  return block
    .trim()
    .split('\n')
    .map((line) => line.replace(/ {2,}#.*$/, ''))
}

/** What a line of the page writes, once it has ended well. */
async function said(line: string, wrote: ReadonlyMap<string, string>): Promise<string> {
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
  if (words[0] === 'node') {
    const running = run(...words.slice(1))
    assert.equal(await running.ended, 0, running.out())
    assert.match(running.out(), /pass 3/)
    return running.out()
  }
  assert.deepEqual(words.slice(0, 2), ['npx', 'tether'], line)
  const staged = [...wrote].find(([one]) => one.includes(' stage '))?.[1].trim() ?? ''
  // Nobody is asked in a test.
  const yes = words[2] === 'approve' ? ['--yes', '--acknowledge'] : []
  return await tether(...words.slice(2).map((word) => word.replace('0198…', staged)), ...yes)
}

test('from nothing to a write that was approved, performed once, heard of, and verified', async () => {
  const dev = run(BINARY, 'dev', '--service', ROOT, '--port', '0', '--no-demo')
  await until('the service runs', () => /Stop with Ctrl-C/.test(dev.err()), dev.err)
  assert.match(dev.err(), /Service +http:\/\/127\.0\.0\.1:\d+\n/)
  for (const name of ['login.json', 'receiver.env'])
    assert.equal(statSync(path.join(folder, '.tether', name)).mode & 0o777, 0o600, name)
  assert.equal(readFileSync(path.join(folder, '.tether/.gitignore'), 'utf8'), '*\n')
  assert.doesNotMatch(dev.out() + dev.err(), /tth_[0-9a-f]{20}|whsec_/)

  const lines = linesOf('npx tether init')
  let address = ''
  const stays: ReturnType<typeof run>[] = []
  const wrote = new Map<string, string>()
  for (const line of lines) {
    if (line === 'npm start') {
      const receiver = run('receiver.mjs')
      stays.unshift(receiver)
      await until('the receiver runs', () => /Your tools are at/.test(receiver.out()), receiver.err)
      address = /Your tools are at (\S+)/.exec(receiver.out())?.[1] ?? ''
    } else if (line === 'npx tether listen') {
      const listen = run(BINARY, 'listen', address, '--json')
      stays.unshift(listen)
      // The listener moves the endpoint in its own time.
      await until(
        'a call is answered',
        async () => (await run(BINARY, 'call', 'get_order', 'number=A-1001').ended) === 0,
      )
    } else wrote.set(line, await said(line, wrote))
  }
  assert.deepEqual(
    [...wrote]
      .map(([line, out]) => [line.replace(/^npx tether /, '').split(' ')[0], out.split('\n')[0]?.split('\t')[0]])
      .filter(([name]) => !['node', 'stage', 'logs', 'audit'].includes(name ?? '')),
    [
      ['init', 'package.json'],
      ['validate', ''],
      ['push', '+ get_order'],
      ['call', '{"number":"A-1001","state":"shipped","total":48}'],
      ['approve', 'Executed'],
      ['trigger', 'delivered'],
      ['trials', 'pass'],
    ],
  )
  const again = run(BINARY, 'init')
  assert.deepEqual([await again.ended, /there already, and nothing was written/.test(again.err())], [2, true])
  const [listen, receiver] = stays
  assert.ok(listen !== undefined && receiver !== undefined)
  await until('the events were heard', () =>
    /event action\.verified refund_order[\s\S]*event test\.ping/.test(receiver.out()),
  )
  assert.equal(await listen.stop('SIGINT'), 0)
  await receiver.stop('SIGTERM')
  assert.equal(await dev.stop('SIGINT'), 0)

  // Another day: the same workspace, and a service that goes when the terminal does.
  const next = run(BINARY, 'dev', '--service', ROOT, '--port', '0', '--no-demo', '--json')
  await until('the service runs again', () => /"workspace":/.test(next.out()), next.err)
  assert.equal(await tether('diff', '--exit-code'), '')
  const { url } = JSON.parse(/^\{"url".*$/m.exec(next.out())?.[0] ?? '{}') as { url: string }
  await next.stop('SIGKILL')
  const isUp = () =>
    fetch(`${url}/health`).then(
      () => true,
      () => false,
    )
  await until('the service is gone', async () => !(await isUp()))
})
