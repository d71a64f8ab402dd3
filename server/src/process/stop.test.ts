// How a service stops that was started as the documentation says: with npm between it and whoever sends the signal.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fillDataDirectory } from '../../testkit/data-directory.ts'

const ROOT = path.join(import.meta.dirname, '../../..')

/** Runs `npm start` in a process group of its own, as a terminal does, until the service is ready. */
async function npmStart(
  t: TestContext,
  more: Record<string, string> = {},
  { script = 'start', until = 'Stop with Ctrl-C.' } = {},
) {
  const data = mkdtempSync(path.join(tmpdir(), 'tether-stop-'))
  await fillDataDirectory(data)
  const env = {
    PATH: process.env.PATH,
    HOME: data,
    Http__Port: '0',
    Database__DataDirectory: data,
    Demo__Enabled: 'false',
    ...more,
  }
  const npm = spawn('npm', ['run', script], { cwd: ROOT, env, detached: true })
  const group = npm.pid
  assert.ok(group !== undefined)
  t.after(() => {
    try {
      process.kill(-group, 'SIGKILL')
    } catch {
      // Nothing of it is left, which is what the tests want.
    }
    rmSync(data, { recursive: true, force: true })
  })
  let output = ''
  for (const stream of [npm.stdout, npm.stderr]) {
    stream.on('data', (piece) => {
      output += piece
    })
  }
  for (let turn = 0; turn < 6_000 && !output.includes(until); turn++) await pause(20)
  assert.ok(output.includes(until), `the service is ready within two minutes: ${output}`)
  const url = /API +(http:\S+)/.exec(output)?.[1] ?? ''
  return { npm, group, url, output: () => output }
}

const serves = async (url: string): Promise<boolean> =>
  await fetch(`${url}/health`).then(
    ({ ok }) => ok,
    () => false,
  )

test('one Ctrl-C arrives twice, from the terminal and from npm, finishes what is running, and waits for no silent connection', async (t) => {
  const { npm, group, url, output } = await npmStart(t)
  assert.ok(await serves(url))
  const silent = net.connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined)
  await once(silent, 'connect')
  const exit = once(npm, 'exit')
  process.kill(-group, 'SIGINT')
  assert.deepEqual(await exit, [0, null], output())
  assert.equal(await serves(url), false)
  assert.match(output(), /Stopped\./)
  assert.doesNotMatch(output(), /second signal|did not finish in time/)
})

test('SIGTERM to npm reaches the service: it says that it is not ready, answers on, and then stops; no orphan keeps the port', async (t) => {
  const { npm, url, output } = await npmStart(t, { Http__DrainSeconds: '10' })
  const ready = async () => (await fetch(`${url}/ready`)).status
  assert.equal(await ready(), 200)
  const exit = once(npm, 'exit')
  npm.kill('SIGTERM')
  // It refuses connections only after those ten seconds, and a refused one would fail here.
  while ((await ready()) !== 503) await pause(20)
  assert.ok(await serves(url))
  assert.deepEqual(await exit, [0, null])
  assert.equal(await serves(url), false, 'the service outlived npm')
  assert.match(output(), /Stopped\./)
  assert.doesNotMatch(output(), /did not finish in time/)
})

test('a worker has no port, so it does not wait for a balancer', async (t) => {
  const { npm, output } = await npmStart(
    t,
    { Http__DrainSeconds: '600' },
    { script: 'work', until: 'Tether is working.' },
  )
  const exit = once(npm, 'exit')
  npm.kill('SIGTERM')
  const late = pause(60_000, 'still there after 60 s', { ref: false })
  assert.deepEqual(await Promise.race([exit, late]), [0, null])
  assert.match(output(), /Stopped\./)
})
