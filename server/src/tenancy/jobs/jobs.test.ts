import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { movableClock } from '../../../testkit/clock.ts'
import { freshDatabase } from '../../../testkit/database.ts'
import { systemClock } from '../../kernel/clock/index.ts'
import { type Database, DatabaseUnavailable, statement } from '../../kernel/db/index.ts'
import { openLog } from '../../kernel/log/index.ts'
import { type Duty, openBell, ringing, startDuties } from './index.ts'

const log = openLog({ level: 'silent', format: 'json', stream: { write: () => undefined } })
const patience = 60_000

async function until(done: () => boolean, what: string): Promise<void> {
  const limit = performance.now() + patience
  while (!done()) {
    if (performance.now() > limit) assert.fail(`${what}: not within ${patience} ms`)
    await pause(2)
  }
}

/** Whatever a test starts ends before its database does. */
const endings = new WeakMap<TestContext, (() => Promise<void>)[]>()
async function fresh(t: TestContext): Promise<Database> {
  const { database, close } = await freshDatabase()
  endings.set(t, [])
  t.after(async () => {
    for (const end of endings.get(t) ?? []) await end()
    await close()
  })
  return database
}
const endBefore = (t: TestContext, end: () => Promise<void>) => endings.get(t)?.push(end)

type Counted = Duty & { runs: number; fails: number }
function counted(more: Partial<Duty> & { answers?: number[] } = {}): Counted {
  const { answers = [], ...rest } = more
  const duty: Counted = {
    name: 'counted',
    everyMs: 60_000,
    runs: 0,
    fails: 0,
    async work() {
      duty.runs++
      if (duty.fails-- > 0) throw new Error('not today')
      return answers.shift() ?? 0
    },
    ...rest,
  }
  return duty
}

test('a duty looks at once, again while there is work, and then at every interval', async (t) => {
  const db = await fresh(t)
  const clock = movableClock()
  const duty = counted({ answers: [3, 2, 0] })
  const working = startDuties({ db, log, clock, bell: openBell({ db, log }) }, [duty])
  await until(() => duty.runs === 3, 'two with work, one without')
  await clock.advance(59_000)
  assert.equal(duty.runs, 3)
  await clock.advance(1_000)
  await until(() => duty.runs === 4, 'the interval')
  await working.close()
  assert.equal(clock.waiting(), 0, 'a wait was left behind')
})

test('a bell calls a duty that rests, and one that rings during the work is not forgotten', async (t) => {
  // When the listening begins, everybody is called once: here only bells are to be heard.
  const db: Database = { ...(await fresh(t)), listen: () => ({ close: async () => undefined }) }
  const bell = openBell({ db, log })
  let go = (): void => undefined
  const duty = counted({
    wokenBy: 'errands',
    async work() {
      duty.runs++
      if (duty.runs === 2) await new Promise<void>((resolve) => (go = resolve))
      return 0
    },
  })
  const working = startDuties({ db, log, clock: movableClock(), bell }, [duty])
  await until(() => duty.runs >= 1, 'the first look')
  bell.ring('errands')
  await until(() => duty.runs === 2, 'the bell')
  bell.ring('errands')
  go()
  await until(() => duty.runs === 3, 'the bell that rang meanwhile')
  bell.ring('something_else')
  await pause(20)
  assert.equal(duty.runs, 3)
  await working.close()
})

test('after errors a duty waits longer each time, and no bell shortens it', async (t) => {
  const db = await fresh(t)
  const bell = openBell({ db, log })
  const waits: number[] = []
  const clock = {
    now: () => 0,
    wait: async (milliseconds: number, signal?: AbortSignal) => {
      waits.push(milliseconds)
      if (waits.length <= 4) bell.ring('errands')
      else await new Promise((resolve) => signal?.addEventListener('abort', resolve))
    },
  }
  const duty = counted({ wokenBy: 'errands', everyMs: 60_000 })
  duty.fails = 4
  const working = startDuties({ db, log, clock, bell }, [duty])
  await until(() => waits.length >= 4, 'four failures')
  await working.close()
  for (const [at, most] of [5_000, 10_000, 20_000, 40_000].entries()) {
    const waited = waits[at] ?? 0
    assert.ok(waited >= most / 2 && waited <= most, `wait ${at + 1} was ${waited} ms of at most ${most}`)
  }
})

test('a database that is away is asked again every few seconds, and one line says so for all duties', async (t) => {
  const db = await fresh(t)
  const waits: number[] = []
  const clock = {
    now: () => 0,
    wait: async (milliseconds: number, signal?: AbortSignal) => {
      waits.push(milliseconds)
      if (waits.length > 20) await new Promise((resolve) => signal?.addEventListener('abort', resolve))
    },
  }
  const lines: string[] = []
  const heard = openLog({ level: 'info', format: 'json', stream: { write: (line) => lines.push(line) } })
  const duties = ['one', 'two'].map((name) =>
    counted({
      name,
      async work() {
        throw new DatabaseUnavailable('The database cannot be reached: it sleeps.')
      },
    }),
  )
  const working = startDuties({ db, log: heard, clock, bell: openBell({ db, log }) }, duties)
  await until(() => waits.length > 20, 'twenty failures')
  await working.close()
  assert.ok(Math.max(...waits) <= 5_000, `waits ${waits}`)
  assert.equal(lines.length, 1, lines.join(''))
  assert.match(lines[0] ?? '', /Regular work is stopped.*/)
})

test('a notification from another connection calls the duty, on every database', async (t) => {
  const db = await fresh(t)
  const duty = counted({ wokenBy: 'errands' })
  const working = startDuties({ db, log, clock: systemClock, bell: openBell({ db, log }) }, [duty])
  endBefore(t, working.close)
  await until(() => duty.runs >= 1, 'the first look')
  const notified = statement('test.notify_errands', `select pg_notify('errands', '')`)
  const earlier = duty.runs
  // The listening may still be on its way; on a server its beginning counts as a call, too.
  for (let turn = 0; turn < 6_000 && duty.runs <= earlier + 1; turn++) {
    await db.run(notified)
    await pause(2)
  }
  assert.ok(duty.runs > earlier + 1, 'two notifications were not heard')
})

test('a process where nobody works tells the others by a notification', async (t) => {
  const db = await fresh(t)
  if (db.engine === 'embedded') return t.skip('the embedded database has one process only')
  const duty = counted({ wokenBy: 'errands' })
  const working = startDuties({ db, log, clock: systemClock, bell: openBell({ db, log }) }, [duty])
  endBefore(t, working.close)
  const elsewhere = openBell({ db, log })
  await until(() => duty.runs >= 2, 'the first look, and the one when the listening began')
  const earlier = duty.runs
  for (let ring = 0; ring < 100; ring++) elsewhere.ring('errands')
  await until(() => duty.runs > earlier, 'the notification')
  await pause(150)
  assert.ok(duty.runs - earlier <= 3, `100 rings became ${duty.runs - earlier} looks`)
})

test('a connection that listened and was lost listens again', async (t) => {
  const db = await fresh(t)
  if (db.engine === 'embedded') return t.skip('there is no connection to lose')
  const duty = counted({ wokenBy: 'errands' })
  const working = startDuties({ db, log, clock: systemClock, bell: openBell({ db, log }) }, [duty])
  endBefore(t, working.close)
  await until(() => duty.runs >= 2, 'the listening')
  const cut = statement(
    'test.cut_listening',
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'tether listens'`,
  )
  // It may listen again before we hear that it was cut.
  const earlier = duty.runs
  assert.ok((await db.rows(cut)).length > 0)
  await until(() => duty.runs > earlier, 'the look when it listened again')
})

test('a house that is closed waits for what its duties do, but not for ever', async (t) => {
  const db = await fresh(t)
  let ended = false
  let finished = false
  let begun = false
  const slow = counted({
    async work(signal) {
      begun = true
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      await pause(30)
      ended = true
      return 0
    },
    async finish() {
      finished = true
    },
  })
  const working = startDuties({ db, log, clock: systemClock, bell: openBell({ db, log }) }, [slow])
  await until(() => begun, 'the duty')
  await Promise.all([working.close(), working.close()])
  assert.deepEqual([ended, finished], [true, true])
})

test('a statement that wakes several jobs rings for each of them', async (t) => {
  const plain = await fresh(t)
  const rung: string[] = []
  const db = ringing(plain, (channel) => rung.push(channel))
  const both = statement('test.wakes_two', 'select 1 as one', { wakes: ['errands', 'mails'] })
  await db.rows(both)
  assert.deepEqual(rung, ['errands', 'mails'])
  await db.transaction(async (tx) => void (await tx.rows(both)))
  assert.deepEqual(rung, ['errands', 'mails', 'errands', 'mails'])
})

test('a statement that wakes a job rings when it has committed, and in a transaction only with the transaction', async (t) => {
  const plain = await fresh(t)
  const rung: string[] = []
  const db = ringing(plain, (channel) => rung.push(channel))
  const marked = statement('test.wakes_one', 'select 1 as one', { wakes: ['errands'] })
  const other = statement('test.unmarked', 'select 1 as one')
  await db.rows(other)
  assert.deepEqual(rung, [])
  await db.one(marked)
  assert.deepEqual(rung, ['errands'])
  await db.transaction(async (tx) => {
    await tx.rows(marked)
    await tx.run(marked)
    assert.deepEqual(rung, ['errands'])
  })
  assert.deepEqual(rung, ['errands', 'errands'])
  const failed = db.transaction(async (tx) => {
    await tx.rows(marked)
    throw new Error('no')
  })
  await assert.rejects(failed, /no/)
  assert.deepEqual(rung, ['errands', 'errands'])
})
