import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { emptySnapshot } from '../../../../testkit/database-snapshot.ts'
import { type Database, openDatabase, unlisted } from '../index.ts'

const writer = fileURLToPath(new URL('../fixtures/writer.ts', import.meta.url))
const snapshot = await emptySnapshot()

// Through the index, through the heap, and the second table: they must tell the same.
const written = unlisted<{ id: number; heap: boolean; note: boolean }>(
  'kill_test.written',
  `select r.id, exists (select from rows_of_writer s where s.id + 0 = r.id) as heap, n.id is not null as note
    from rows_of_writer r left join notes_of_writer n on n.id = r.id order by r.id`,
)

function temporary(t: TestContext): string {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'tether-kill-'))
  t.after(() => fs.rmSync(directory, { recursive: true, force: true }))
  return directory
}

function open(directory: string): Promise<Database> {
  return openDatabase({ at: { directory, snapshot }, statementTimeoutMs: 30_000, warn: () => undefined })
}

async function killed(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

/** Starts a writer, kills it after a while of writing, and returns what it said was written. */
async function writeAndKill(t: TestContext, directory: string, writingMs: number): Promise<number[]> {
  const child = spawn(process.execPath, [writer, directory], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => killed(child))
  const lines = createInterface({ input: child.stdout })
  const acknowledged: number[] = []
  const isOpen = Promise.withResolvers<void>()
  lines.on('line', (line) => {
    if (line === 'open') isOpen.resolve()
    else acknowledged.push(Number(line))
  })
  await isOpen.promise
  // A machine that is busy takes its time to the first row; the kill is to come in the middle of writing.
  for (let waited = 0; waited < 60_000 && acknowledged.length === 0; waited += 5) await pause(5)
  await pause(writingMs)
  const ended = once(lines, 'close')
  await killed(child)
  await ended
  return acknowledged
}

test('a process that is killed while it writes loses nothing that was acknowledged', async (t) => {
  const directory = temporary(t)
  await (await open(directory)).close() // made here, from the snapshot: the killed ones should write, not make clusters
  const acknowledged: number[] = []
  for (const writingMs of [40, 150, 260]) {
    const said = await writeAndKill(t, directory, writingMs)
    assert.ok(said.length > 0, 'the writer wrote something')
    acknowledged.push(...said)
  }
  const database = await open(directory)
  t.after(() => database.close())
  const found = new Map((await database.rows(written)).map((row) => [row.id, row]))
  for (const id of acknowledged) assert.deepEqual(found.get(id), { id, heap: true, note: true })
  // One that was not acknowledged may be there, but as a whole.
  for (const row of found.values()) assert.ok(row.heap && row.note)
})

test('a process that is killed while it makes its cluster leaves nothing that does not open', async (t) => {
  const source = `
    const { openDatabase } = await import(${JSON.stringify(import.meta.resolve('../index.ts'))})
    const at = { directory: process.argv[1], snapshot: ${JSON.stringify(snapshot)} }
    process.stdout.write('started')
    await openDatabase({ at, statementTimeoutMs: 0, warn: () => {} })
    setInterval(() => {}, 1000)`
  const directory = temporary(t)
  const draft = path.join(directory, 'database', 'cluster.new', 'base')
  // It may not finish, however late we look.
  const unfinished = `
    import fs from 'node:fs'
    const { renameSync } = fs
    fs.renameSync = (from, to) => {
      if (String(to).endsWith('/cluster')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
      renameSync(from, to)
    }`
  const preload = `--import=data:text/javascript,${encodeURIComponent(unfinished)}`
  const child = spawn(process.execPath, [preload, '--input-type=module', '-e', source, directory])
  t.after(() => killed(child))
  // In the middle of the copy: that is when a directory looks like a cluster and is none.
  for (let waited = 0; waited < 60_000 && !fs.existsSync(draft); waited += 2) await pause(2)
  await killed(child)
  assert.ok(fs.existsSync(draft))
  assert.ok(!fs.existsSync(path.join(directory, 'database', 'cluster')))
  const database = await open(directory)
  await database.script('create table works (x integer)')
  await database.close()
})
