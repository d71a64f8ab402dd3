// The engine runs in this thread here, so that the calls that reach the disk can be counted, and made to fail.
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { readFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import type { PGlite } from '@electric-sql/pglite'
import { emptySnapshot } from '../../../../testkit/database-snapshot.ts'
import { openCluster } from './cluster.ts'

const snapshot = await emptySnapshot()
const program = await WebAssembly.compile(
  await readFile(new URL('./pglite.wasm', import.meta.resolve('@electric-sql/pglite'))),
)

function place(t: TestContext): string {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'tether-files-'))
  t.after(() => fs.rmSync(directory, { recursive: true, force: true }))
  return path.join(directory, 'cluster')
}

async function open(t: TestContext, cluster: string): Promise<PGlite> {
  const engine = await openCluster({ cluster, snapshot, program: undefined }, program, () => undefined)
  t.after(() => engine.close().catch(() => undefined)) // one that is closed, or broken, cannot close
  return engine
}

/** Counts what is flushed: the names of files and directories, in order. */
function watchFlushes(t: TestContext): string[] {
  const flushed: string[] = []
  const note = (call: (fd: number) => void) => (fd: number) => {
    call(fd)
    flushed.push(fs.readlinkSync(`/proc/self/fd/${fd}`))
  }
  t.mock.method(fs, 'fdatasyncSync', note(fs.fdatasyncSync))
  t.mock.method(fs, 'fsyncSync', note(fs.fsyncSync))
  return flushed
}

const onLinux = { skip: process.platform === 'linux' ? false : 'reads /proc' }

test(
  'every commit flushes the log before it is acknowledged, and a checkpoint flushes files and directories',
  onLinux,
  async (t) => {
    const cluster = place(t)
    const engine = await open(t, cluster)
    await engine.exec('create table kept (x integer)')
    const flushed = watchFlushes(t)
    for (let commit = 1; commit <= 10; commit++) {
      await engine.query('insert into kept values (1)')
      assert.equal(flushed.filter((file) => file.includes('/cluster/pg_wal/')).length, commit)
    }
    flushed.length = 0
    await engine.exec('create table more (x integer); insert into more values (1); checkpoint')
    assert.ok(
      flushed.some((file) => /\/cluster\/base\/\d+\/\d+$/.test(file)),
      'the rows',
    )
    assert.ok(
      flushed.some((file) => fs.statSync(file).isDirectory()),
      'the directory of a new file',
    )
    t.mock.restoreAll()
    await engine.close()
  },
)

test('what the disk refuses is not acknowledged', async (t) => {
  const engine = await open(t, place(t))
  await engine.exec('create table kept (x integer)')
  t.mock.method(fs, 'fdatasyncSync', () => {
    throw Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' })
  })
  const step = engine.Module._PostgresMainLoopOnce
  let fault: unknown
  engine.Module._PostgresMainLoopOnce = () => {
    try {
      step()
    } catch (error) {
      fault ??= error
      throw error
    }
  }
  const rows = await engine.query('insert into kept values (1) returning x').then(
    ({ rows }) => rows,
    () => undefined,
  )
  assert.ok(rows === undefined || rows.length === 0)
  assert.match(String(fault), /abort|exit/i, 'PostgreSQL panics, which the worker takes for the end of the engine')
})

test('a new cluster appears in its place only when it is complete', async (t) => {
  const cluster = place(t)
  const seen: boolean[] = []
  const rename = fs.renameSync
  t.mock.method(fs, 'renameSync', (from: string, to: string) => {
    if (to === cluster) seen.push(fs.existsSync(path.join(from, 'PG_VERSION')), fs.existsSync(cluster))
    rename(from, to)
  })
  // What a kill half-way left behind.
  fs.mkdirSync(`${cluster}.new/base`, { recursive: true })
  fs.writeFileSync(`${cluster}.new/PG_VERSION`, '18\n')
  const engine = await open(t, cluster)
  assert.deepEqual(seen, [true, false])
  assert.ok(!fs.existsSync(`${cluster}.new`))
  await engine.exec('create table kept (x integer); insert into kept values (1)')
  await engine.close()

  const again = await open(t, cluster)
  assert.deepEqual((await again.query('select x from kept')).rows, [{ x: 1 }])
  await again.close()
})
