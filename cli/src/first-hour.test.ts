// The first hour of docs/cli.md, from an empty folder: the service that `tether dev` runs, and what `tether init` writes.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
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

/** The lines that were run, as the page writes them. */
const ran = new Set<string>()

function run(...words: readonly string[]): Run & { readonly ended: Promise<number | null> } {
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    PORT: String(port),
    DATABASE_URL: 'postgres://somebody@127.0.0.1:9/else',
  }
  ran.add(words[0] === BINARY ? `npx tether ${words[1]}` : `node ${words[0]}`)
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

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 120_000; !(await holds()); ) {
    if (performance.now() > end) assert.fail(`never: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const probe = createServer().listen(0, '127.0.0.1')
await once(probe, 'listening')
const port = (probe.address() as { port: number }).port
probe.close()

test('from nothing to a write that was approved, performed once, heard of, and verified', async () => {
  const dev = run(BINARY, 'dev', '--service', ROOT, '--port', '0', '--no-demo')
  await until(`the service runs: ${dev.err()}`, () => /Stop with Ctrl-C/.test(dev.err()))
  assert.match(dev.err(), /Service +http:\/\/127\.0\.0\.1:\d+\n/)
  for (const name of ['login.json', 'receiver.env'])
    assert.equal(statSync(path.join(folder, '.tether', name)).mode & 0o777, 0o600, name)
  assert.equal(readFileSync(path.join(folder, '.tether/.gitignore'), 'utf8'), '*\n')
  assert.doesNotMatch(dev.out() + dev.err(), /tth_[0-9a-f]{20}|whsec_/)

  assert.match(await tether('init'), /^package\.json\ntools\.json\nreceiver\.mjs\nreceiver\.test\.mjs\ntrials\.json\n$/)
  const again = run(BINARY, 'init')
  assert.deepEqual([await again.ended, /there already, and nothing was written/.test(again.err())], [2, true])
  const tested = run('--test')
  assert.equal(await tested.ended, 0, tested.out())
  assert.match(tested.out(), /pass 3/)
  await tether('validate')
  assert.equal(await tether('push'), '+ get_order\n+ refund_order\n')

  const receiver = run('receiver.mjs')
  await until(`the receiver runs: ${receiver.err()}`, () => /Your tools are at/.test(receiver.out()))
  const listen = run(BINARY, 'listen', String(port), '--json')
  await until(`it listens: ${listen.err()}`, () => /Listening/.test(listen.err()))
  // The listener moves the endpoint in its own time.
  await until('a call is answered', async () => (await run(BINARY, 'call', 'get_order', 'number=A-1001').ended) === 0)
  const actionId = (await tether('stage', 'refund_order', 'number=A-1001')).trim()
  assert.equal(await tether('approve', actionId, '--user', '7', '--yes', '--acknowledge'), 'Executed\n')
  assert.match(await tether('trigger'), /^delivered\t204\t/)
  await until('the events were heard', () =>
    /event action\.verified refund_order[\s\S]*event test\.ping/.test(receiver.out()),
  )
  assert.match(await tether('logs', 'audit'), /\texecuted\trefund_order\t/)
  assert.equal((await tether('trials')).match(/^pass\t/gm)?.length, 3)
  assert.match(await tether('audit', 'verify'), /^\d+\t[0-9a-f]{64}\n$/)
  assert.equal(await listen.stop('SIGINT'), 0)
  await receiver.stop('SIGTERM')
  assert.equal(await dev.stop('SIGINT'), 0)

  // Another day: the same workspace, and a service that goes when the terminal does.
  const next = run(BINARY, 'dev', '--service', ROOT, '--port', '0', '--no-demo', '--json')
  await until(`the service runs again: ${next.err()}`, () => /"workspace":/.test(next.out()))
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

test('every line of docs/cli.md is one that was run', () => {
  const page = readFileSync(path.join(ROOT, 'docs/cli.md'), 'utf8')
  const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text = '']) => text)
  const lines = blocks.flatMap((text) => text.trim().split('\n')).map((line) => line.replace(/ +#.*$/, ''))
  const elsewhere = [
    // Tests have no registry; the folder of this one has the packages of the repository instead.
    /^mkdir shop && cd shop$|^npm init -y$|^npm install \.\.\/tether\/packed\/\*\.tgz$/,
    // What `tether init` wrote into package.json.
    /^npm start$/,
    // import.test.ts
    /^npx tether import openapi\.yaml --base-url https:\/\/api\.example\.com$/,
  ]
  const unrun = lines.filter(
    (line) =>
      !ran.has(/^(?:npx tether|node) \S+/.exec(line)?.[0] ?? '') && !elsewhere.some((pattern) => pattern.test(line)),
  )
  assert.deepEqual(unrun, [])
  assert.ok(lines.length > 12, String(lines.length))
})
