import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { DirectoryInUse, lockDirectory } from './directory-lock.ts'
import { holderOf } from './lock-holder.ts'

const quick = { beatMs: 20 }

function emptyDirectory(t: TestContext): string {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'tether-lock-'))
  t.after(() => fs.rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** Another process that takes the lock, says how it went, and keeps it until it is killed. */
function opener(t: TestContext, directory: string): { child: ChildProcess; said: Promise<string> } {
  const source = `
    const { lockDirectory } = await import(${JSON.stringify(import.meta.resolve('./directory-lock.ts'))})
    await lockDirectory(process.argv[1]).then(() => console.log('locked'), (error) => console.log(error.name))
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', source, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  const said = once(child.stdout, 'data').then(([data]) => String(data).trim())
  return { child, said }
}

test('a lock held by a live process is refused, and the message says by whom and what to do', async (t) => {
  const directory = emptyDirectory(t)
  const { child, said } = opener(t, directory)
  assert.equal(await said, 'locked')
  await assert.rejects(lockDirectory(directory), (error: Error) => {
    assert.ok(error instanceof DirectoryInUse)
    assert.match(error.message, new RegExp(`in use by process ${child.pid}\\.`))
    assert.ok(error.message.includes(directory))
    assert.match(error.message, /Stop that process.*Database:DataDirectory/)
    return true
  })
})

test('the lock of a killed process is taken over', async (t) => {
  const directory = emptyDirectory(t)
  const { child, said } = opener(t, directory)
  assert.equal(await said, 'locked')
  child.kill('SIGKILL')
  await once(child, 'exit')
  assert.ok(fs.existsSync(path.join(directory, 'lock')), 'the killed process left its lock behind')
  const lock = await lockDirectory(directory)
  lock.release()
  assert.ok(!fs.existsSync(path.join(directory, 'lock')))
})

test('a live process with the number of a dead holder does not keep the lock', async (t) => {
  const directory = emptyDirectory(t)
  const holder = { ...holderOf(process.pid), startedAt: '1' }
  fs.writeFileSync(path.join(directory, 'lock'), JSON.stringify(holder))
  const lock = await lockDirectory(directory)
  lock.release()
})

test('the same process cannot open a directory twice, but can open it again', async (t) => {
  const directory = emptyDirectory(t)
  const first = await lockDirectory(directory)
  await assert.rejects(lockDirectory(directory), /in use by this process itself/)
  first.release()
  const second = await lockDirectory(directory)
  second.release()
})

test('a lock that a power cut left empty is taken over', async (t) => {
  const directory = emptyDirectory(t)
  fs.writeFileSync(path.join(directory, 'lock'), '')
  const lock = await lockDirectory(directory)
  lock.release()
})

test('a holder in another container is judged by its heartbeat', async (t) => {
  const directory = emptyDirectory(t)
  const file = path.join(directory, 'lock')
  // This process number is alive here, and means nothing: it is another container's.
  fs.writeFileSync(file, JSON.stringify({ ...holderOf(process.pid), world: 'elsewhere' }))
  const beat = setInterval(() => fs.utimesSync(file, new Date(), new Date()), 10)
  t.after(() => clearInterval(beat))
  await assert.rejects(lockDirectory(directory, quick), DirectoryInUse)
  clearInterval(beat)
  const lock = await lockDirectory(directory, quick)
  lock.release()
})

test('the holder keeps its heart beating', async (t) => {
  const directory = emptyDirectory(t)
  const lock = await lockDirectory(directory, quick)
  const file = path.join(directory, 'lock')
  fs.utimesSync(file, new Date(0), new Date(0))
  for (let waited = 0; waited < 60_000 && fs.statSync(file).mtimeMs === 0; waited += 10) await pause(10)
  assert.ok(Date.now() - fs.statSync(file).mtimeMs < 60_000)
  lock.release()
})

test('a holder whose lock was taken away hears of it, and leaves the new one alone', async (t) => {
  const directory = emptyDirectory(t)
  const file = path.join(directory, 'lock')
  const lock = await lockDirectory(directory, quick)
  const lost = new Promise<void>((resolve) => lock.onLost(resolve))
  const theirs = JSON.stringify({ ...holderOf(process.pid), startedAt: 'other' })
  fs.writeFileSync(file, theirs)
  await lost
  lock.release()
  assert.equal(fs.readFileSync(file, 'utf8'), theirs)
})

test('of several processes that find a dead lock at the same time, one gets it', async (t) => {
  const directory = emptyDirectory(t)
  fs.writeFileSync(path.join(directory, 'lock'), JSON.stringify({ ...holderOf(process.pid), startedAt: '1' }))
  const said = await Promise.all(Array.from({ length: 4 }, () => opener(t, directory).said))
  assert.deepEqual(said.sort(), ['DirectoryInUse', 'DirectoryInUse', 'DirectoryInUse', 'locked'])
})

test('whoever finds a dead lock does not remove the live one that replaced it meanwhile', async (t) => {
  const directory = emptyDirectory(t)
  const file = path.join(directory, 'lock')
  fs.writeFileSync(file, JSON.stringify({ ...holderOf(process.pid), startedAt: '1' }))
  const theirs = JSON.stringify(holderOf(process.ppid))
  const rename = fs.renameSync
  t.mock.method(fs, 'renameSync', (from: string, to: string) => {
    fs.writeFileSync(file, theirs)
    rename(from, to)
  })
  await assert.rejects(lockDirectory(directory), new RegExp(`in use by process ${process.ppid}\\.`))
  assert.equal(fs.readFileSync(file, 'utf8'), theirs)
})
