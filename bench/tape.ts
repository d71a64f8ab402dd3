// What the tape of turns costs the database, while nobody reads them at another instance: beside the least that keeps the same frames
// there, which is one insert ten times a second into a table that is not logged. In processor time of PostgreSQL, on two databases of
// one server, in turns.
import { setTimeout as pause } from 'node:timers/promises'
import { openKeyring } from '../server/src/kernel/crypto/index.ts'
import { type Database, openDatabase, unlisted } from '../server/src/kernel/db/index.ts'
import { newId } from '../server/src/kernel/ids/index.ts'
import { openLog } from '../server/src/kernel/log/index.ts'
import { noFrames } from '../server/src/talk/streams/live.ts'
import { openTape } from '../server/src/talk/streams/tape.ts'
import { testSettings } from '../server/testkit/house.ts'
import { NO_POSTGRES, onPostgres } from './calls/places.ts'
import { judged, type Result, say } from './parts/report.ts'
import { median, ratioOf, rounded, takeTurns } from './parts/rounds.ts'
import { repeated, sized } from './parts/scale.ts'
import { processorMs } from './parts/spent.ts'

const TURNS = sized(60)
const TENANTS = 20
/** A turn says something twenty times a second, for three seconds. */
const FRAMES = repeated(60)
const BETWEEN_MS = 50
/** They begin one after the other. */
const APART_MS = 15
const TICK_MS = 100
const rounds = 7

const FRAME = JSON.stringify({
  type: 'delta',
  text: 'some eight words of an answer to somebody’s question about an order',
})

type Say = (turn: { readonly requestId: string; readonly tenantId: number }, frame: string | null) => void

/** Plays all turns. Null says that one is over. */
async function play(say: Say): Promise<void> {
  await Promise.all(
    Array.from({ length: TURNS }, async (_, at) => {
      const turn = { requestId: newId('req'), tenantId: 1 + (at % TENANTS) }
      await pause(at * APART_MS)
      for (let n = 0; n < FRAMES; n++) {
        say(turn, FRAME)
        await pause(BETWEEN_MS)
      }
      say(turn, null)
    }),
  )
}

async function withTape(db: Database): Promise<() => Promise<void>> {
  const settings = testSettings()
  const keyring = openKeyring({ key: settings.encryption.key, previous: [] })
  const log = openLog({ level: 'error', format: 'json', stream: process.stderr })
  return async () => {
    const tape = openTape({ db, keyring, log, settings })
    const known = new Map<string, ReturnType<typeof noFrames>>()
    await play((turn, frame) => {
      const frames = known.get(turn.requestId) ?? noFrames()
      if (!known.has(turn.requestId)) {
        known.set(turn.requestId, frames)
        tape.record({ ...turn, head: { caller: 'key:1', isKept: true }, frames, stop: new AbortController() })
      }
      if (frame === null) frames.over = true
      else frames.all.push(frame)
    })
    await tape.close()
  }
}

const keepBare = unlisted<
  unknown,
  { readonly tenantIds: number[]; readonly requestIds: string[]; readonly ns: number[]; readonly data: string[] }
>(
  'bench.keep_bare',
  `insert into bare_frames (tenant_id, request_id, n, data)
   select * from unnest($tenantIds::int[], $requestIds::text[], $ns::int[], $data::text[])`,
)

async function withInserts(db: Database): Promise<() => Promise<void>> {
  await db.script(`create unlogged table bare_frames (
    tenant_id integer not null, request_id text not null, n integer not null, data text not null,
    primary key (tenant_id, request_id, n)
  )`)
  return async () => {
    const coming = new Map<string, { readonly tenantId: number; n: number; frames: string[] }>()
    const keep = async () => {
      const rows = [...coming].filter(([, { frames }]) => frames.length > 0)
      if (rows.length === 0) return
      const values = {
        tenantIds: rows.map(([, { tenantId }]) => tenantId),
        requestIds: rows.map(([requestId]) => requestId),
        ns: rows.map(([, turn]) => {
          turn.n += turn.frames.length
          return turn.n
        }),
        data: rows.map(([, { frames }]) => JSON.stringify(frames.splice(0))),
      }
      await db.run(keepBare, values)
    }
    let isOver = false
    const keeping = (async () => {
      for (; !isOver; await pause(TICK_MS)) await keep()
      await keep()
    })()
    await play(({ requestId, tenantId }, frame) => {
      const turn = coming.get(requestId) ?? { tenantId, n: 0, frames: [] }
      coming.set(requestId, turn)
      if (frame !== null) turn.frames.push(frame)
    })
    isOver = true
    await keeping
  }
}

const findBackend = unlisted<{ pid: number }>('bench.backend_of_tape', 'select pg_backend_pid() as pid')

/** Milliseconds of the one connection for one turn. */
async function measured(db: Database, work: () => Promise<void>): Promise<() => Promise<number>> {
  const pid = (await db.one(findBackend))?.pid ?? 0
  return async () => {
    const before = processorMs(pid)
    await work()
    return (processorMs(pid) - before) / TURNS
  }
}

const open = (url: string) =>
  openDatabase({ at: { url, poolSize: 1, prepared: true }, statementTimeoutMs: 0, warn: console.error })

async function compare(tapeUrl: string, bareUrl: string): Promise<Result> {
  const [tape, bare] = [await open(tapeUrl), await open(bareUrl)]
  try {
    await tape.script(
      `insert into tenants (tenant_id, name, email_confirmed_at) select i, 'Shop ' || i, now() from generate_series(1, ${TENANTS}) as i`,
    )
    const sides = {
      tape: await measured(tape, await withTape(tape)),
      bare: await measured(bare, await withInserts(bare)),
    }
    const took = await takeTurns(sides, { rounds, warmUpRounds: 1 })
    return judged(
      'of a turn that nobody reads elsewhere',
      ratioOf(took.tape, took.bare),
      { atMost: 1.5 },
      {
        tapeMs: rounded(median(took.tape)),
        bareMs: rounded(median(took.bare)),
        turnsAtOnce: TURNS,
      },
    )
  } finally {
    await tape.close()
    await bare.close()
  }
}

const result = await onPostgres(2, ([tape = '', bare = '']) => compare(tape, bare))
say({
  bench: 'tape',
  promise:
    'Keeping a turn for other instances, from the moment that it has a name, costs the database at most one and a half times a bare insert of its frames ten times a second',
  results: result === undefined ? [] : [result],
  ...(result === undefined ? { skipped: NO_POSTGRES } : {}),
})
