import assert from 'node:assert/strict'
import test from 'node:test'
import { testSettings } from '../../../testkit/house.ts'
import { type Database, DatabaseUnavailable } from '../../kernel/db/index.ts'
import { openLog } from '../../kernel/log/index.ts'
import { type FoundRows, type RowSweep, type Sweep, sweep, sweepRows } from './index.ts'

// What real sweeps do with real tables is in sweeps.test.ts, beside app.ts; here is what no table can be made to do.

type Row = { readonly tenantId: number; readonly id: string }

const rowsOf = (tenantId: number, count: number): Row[] =>
  Array.from({ length: count }, (_, at) => ({ tenantId, id: `${tenantId}-${at}` }))

/** What is due is a list, from which whatever is taken goes. */
function listed(rows: Row[], more: Partial<Sweep> = {}) {
  const due = [...rows]
  const takes: string[][] = []
  const looks: (readonly number[])[] = []
  const lines: string[] = []
  const log = openLog({ level: 'info', format: 'json', stream: { write: (line) => lines.push(line) } })
  const one: Sweep = {
    name: 'errands',
    batch: 4,
    async look({ passedOver, limit }) {
      looks.push(passedOver)
      return due.filter(({ tenantId }) => !passedOver.includes(tenantId)).slice(0, limit)
    },
    async take({ ids }) {
      takes.push([...ids])
      for (const id of ids)
        due.splice(
          due.findIndex((row) => row.id === id),
          1,
        )
      return { taken: ids.length }
    },
    ...more,
  }
  return { due, takes, looks, lines, run: (signal?: AbortSignal) => sweep({ log }, one, signal) }
}

test('it looks until it finds less than it asked for, and takes what it found tenant by tenant', async () => {
  const { takes, looks, run } = listed([...rowsOf(1, 3), ...rowsOf(2, 2), ...rowsOf(1, 1)])
  assert.equal(await run(), 6)
  assert.deepEqual(takes.slice(0, 2), [['1-0', '1-1', '1-2'], ['2-0']])
  assert.equal(looks.length, 2)
})

test('what must not be taken together is taken one by one', async () => {
  const { takes, run } = listed(rowsOf(1, 3), { together: 1 })
  assert.equal(await run(), 3)
  assert.deepEqual(takes, [['1-0'], ['1-1'], ['1-2']])
})

test('a tenant of whom nothing could be taken is passed over, so that the next look finds the others', async () => {
  const { looks, run, due } = listed([...rowsOf(1, 9), ...rowsOf(2, 1)], {
    take: async ({ tenantId, ids: [id] }) => {
      if (tenantId === 1) return { taken: 0 }
      due.splice(
        due.findIndex((row) => row.id === id),
        1,
      )
      return { taken: 1 }
    },
  })
  assert.equal(await run(), 1)
  assert.deepEqual(looks, [[], [1]])
})

test('where somebody else is at the same rows, it goes on with what they left', async () => {
  // Of each four rows another process was quicker with three, and those are gone by the next look.
  const { due, takes, run } = listed(rowsOf(1, 12), {
    together: 1,
    take: async ({ ids: [id = ''] }) => {
      due.splice(
        due.findIndex((row) => row.id === id),
        1,
      )
      const isOurs = Number(id.split('-')[1]) % 4 === 3
      if (isOurs) takes.push([id])
      return { taken: isOurs ? 1 : 0 }
    },
  })
  assert.equal(await run(), 3)
  assert.deepEqual(takes, [['1-3'], ['1-7'], ['1-11']])
})

test('after a failure the rest of the tenant is not tried in this sweep', async () => {
  const tried: string[] = []
  const { looks, run } = listed(rowsOf(1, 9), {
    together: 1,
    batch: 9,
    take: async ({ ids }) => {
      tried.push(...ids)
      throw new Error('no')
    },
  })
  assert.equal(await run(), 0)
  assert.equal(tried.length, 4, 'those that were begun before the first one failed')
  assert.deepEqual(looks, [[], [1]])
})

test('a database that is away ends the sweep for everybody', async () => {
  let tries = 0
  const { run, lines } = listed([...rowsOf(1, 1), ...rowsOf(2, 1), ...rowsOf(3, 1), ...rowsOf(4, 1), ...rowsOf(5, 1)], {
    batch: 5,
    take: async () => {
      tries++
      throw new DatabaseUnavailable('The database sleeps.')
    },
  })
  await assert.rejects(run(), DatabaseUnavailable)
  assert.equal(tries, 4, 'those that were under way, and nobody after')
  assert.deepEqual(lines, [])
})

test('failures of many tenants are one line, with the first of them', async () => {
  const { run, lines } = listed([...rowsOf(1, 1), ...rowsOf(2, 1), ...rowsOf(3, 1)], {
    take: async ({ tenantId }) => {
      throw new Error(`no ${tenantId}`)
    },
  })
  assert.equal(await run(), 0)
  assert.equal(lines.length, 1)
  assert.partialDeepStrictEqual(JSON.parse(lines[0] ?? ''), { sweep: 'errands', tenants: [1, 2, 3], failed: 3 })
  assert.match(lines[0] ?? '', /no 1/)
})

test('after its signal a sweep begins nothing more', async () => {
  const stop = new AbortController()
  const { due, run } = listed([...rowsOf(1, 4), ...rowsOf(2, 4)], {
    together: 1,
    take: async () => {
      stop.abort()
      return { taken: 1 }
    },
  })
  assert.ok((await run(stop.signal)) <= 4)
  assert.equal(due.length, 8)
})

test('where each may take as long as somebody outside likes, tenants take turns, and none has more than its share of a sweep', async () => {
  const { takes, looks, run, due } = listed([...rowsOf(1, 30), ...rowsOf(2, 3), ...rowsOf(3, 1)], {
    together: 1,
    mostOfTenant: 2,
  })
  assert.equal(await run(), 5)
  assert.deepEqual(
    takes.map(([id]) => id),
    ['1-0', '1-1', '2-0', '3-0', '2-1'],
  )
  assert.deepEqual(looks, [[], [1], [1, 2, 3]])
  assert.equal(due.length, 29)
})

/** A sweep of rows over a list: it records each statement, and fails for the tenants in `stuck`. */
function listedRows(
  rows: Row[],
  { divided = false, stuck = [] as number[], together = undefined as number | undefined } = {},
) {
  const due = [...rows]
  const statements: FoundRows[] = []
  const lines: string[] = []
  const scripts: string[] = []
  const tx = { script: async (text: string) => void scripts.push(text) }
  const db = { transaction: (work: (tx: unknown) => Promise<unknown>) => work(tx) } as unknown as Database
  const one: RowSweep = {
    name: 'errands',
    batch: 6,
    ...(together === undefined ? {} : { together }),
    look: async ({ passedOver, limit }) => due.filter(({ tenantId }) => !passedOver.includes(tenantId)).slice(0, limit),
    async takeRows(_, these) {
      statements.push(these)
      if (these.tenantIds.some((tenantId) => stuck.includes(tenantId))) throw new Error('stuck')
      for (const id of these.ids)
        due.splice(
          due.findIndex((row) => row.id === id),
          1,
        )
      return [...Map.groupBy(these.tenantIds, (tenantId) => tenantId)].map(([tenantId, own]) => ({
        tenantId,
        taken: own.length,
      }))
    },
  }
  const log = openLog({ level: 'info', format: 'json', stream: { write: (line) => lines.push(line) } })
  const settings = testSettings({ 'Database:DividedByTenant': String(divided) })
  return { due, statements, lines, scripts, run: () => sweepRows({ db, log, settings }, one) }
}

test('takes the rows of all tenants in one statement, and stops waiting for a lock', async () => {
  const { statements, scripts, run } = listedRows([...rowsOf(1, 2), ...rowsOf(2, 1)])
  assert.equal(await run(), 3)
  assert.deepEqual(statements, [{ tenantIds: [1, 1, 2], ids: ['1-0', '1-1', '2-0'] }])
  assert.deepEqual(scripts, ['set local lock_timeout = 1000'])
})

test('takes at most as many rows in one statement as it may take together', async () => {
  const { statements, run } = listedRows([...rowsOf(1, 2), ...rowsOf(2, 3)], { together: 2 })
  assert.equal(await run(), 5)
  assert.deepEqual(
    statements.map(({ ids }) => ids),
    [['1-0', '1-1'], ['2-0', '2-1'], ['2-2']],
  )
})

test('takes the rows of each tenant in a statement of its own where the tables are divided', async () => {
  const { statements, scripts, run } = listedRows([...rowsOf(1, 2), ...rowsOf(2, 1)], { divided: true })
  assert.equal(await run(), 3)
  assert.deepEqual(statements, [
    { tenantIds: [1, 1], ids: ['1-0', '1-1'] },
    { tenantIds: [2], ids: ['2-0'] },
  ])
  assert.deepEqual(scripts, [])
})

test('if the statement for all tenants fails, each tenant gets its own, and the failing tenant is named', async () => {
  const { statements, due, lines, run } = listedRows([...rowsOf(1, 2), ...rowsOf(2, 1), ...rowsOf(3, 1)], {
    stuck: [2],
  })
  assert.equal(await run(), 3)
  assert.deepEqual(
    statements.map(({ tenantIds }) => tenantIds),
    [[1, 1, 2, 3], [1, 1], [2], [3]],
  )
  assert.deepEqual(due, rowsOf(2, 1))
  assert.partialDeepStrictEqual(JSON.parse(lines[0] ?? ''), { sweep: 'errands', tenants: [2], failed: 1 })
})
