// R14: a success whose body is poison to a database, a parser or a reader. The write was performed, so it is executed, and the
// bytes are kept. What is no success that can be read is unknown, and never the end of a process.
import { type Database, unlisted } from '../../src/kernel/db/index.ts'
import { stageSome } from './lost-answers.ts'
import { type Act, done, openReceiver } from './receiver.ts'
import type { Scene } from './scene.ts'
import { operatorKey } from './settings.ts'
import { openShop } from './shop.ts'
import { confirm, type Told } from './storm.ts'

const DEEP = 100_000
const LIMIT = 262_144
const head = (more: string) => `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${more}\r\n`
const raw = (text: string): Act => ({ performs: 'first', answer: { raw: Buffer.from(text, 'latin1') } })

/** Each with the JSON that it is, byte for byte. */
const SUCCESSES: readonly (string | Buffer)[] = [
  '"\\u0000"',
  '{"\\u0000":"\\u0000"}',
  '"\\ud800"',
  '{"a":"\\udfff\\ud800"}',
  `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`,
  `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`,
  '1e400',
  '{"n":-1e400,"m":12345678901234567890.123456789012345678901234567890}',
  '{"a":1,"a":2,"__proto__":{"x":1},"constructor":null}',
  Buffer.from('\ufeff{"mark":true}'),
  '',
  ' null ',
  `"${'x'.repeat(LIMIT - 2)}"`,
]
/** What came of them cannot be known from here. */
const UNREADABLE: readonly Act[] = [
  done(Buffer.from([0x22, 0xff, 0xfe, 0x22])),
  done('<html>'),
  done('{"cut":'),
  done(`"${'x'.repeat(LIMIT)}"`),
  raw(`${head('content-length: 500\r\n')}{"short":true}`),
  raw(`${head('transfer-encoding: chunked\r\n')}zz\r\n{"a":1}\r\n`),
  raw('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(2_000)),
  raw('\u0000\u0001\u0002'),
]

export type Poison = {
  readonly successes: number
  /** Executed, and kept to the byte. */
  readonly kept: number
  readonly unreadable: number
  readonly indeterminate: number
  readonly performed: number
  readonly endedAlone: number
}

type Row = { actionId: string; state: string; result: Buffer | null }
const results = unlisted<Row, { tenantId: number }>(
  'proof.results',
  `select action_id as "actionId", state, result from actions where tenant_id = $tenantId::int`,
)

export async function poison({ fleet, db }: Scene): Promise<Poison> {
  const acts = [...SUCCESSES.map((body) => done(body)), ...UNREADABLE]
  const receiver = await openReceiver(({ arguments: { number } }) => acts[Number(number)] ?? done())
  try {
    const shop = await openShop(fleet, operatorKey, receiver.url)
    const told = await stageSome(fleet, shop, { tool: 'refund_order', first: 0, count: acts.length })
    await Promise.all(told.map((one, place) => confirm(fleet, place, one)))
    const rows = await rowsOf(db, told, shop.tenantId)
    const kept = SUCCESSES.filter((body, number) => isKept(rows[number], Buffer.from(body)))
    return {
      successes: SUCCESSES.length,
      kept: kept.length,
      unreadable: UNREADABLE.length,
      indeterminate: rows.slice(SUCCESSES.length).filter((row) => row?.state === 'indeterminate').length,
      performed: [...receiver.entries()].filter(({ performed }) => performed === 1).length,
      endedAlone: fleet.endedAlone(),
    }
  } finally {
    await receiver.close()
  }
}

const isKept = (row: Row | undefined, body: Buffer): boolean =>
  row?.state === 'executed' && (row.result ?? Buffer.alloc(0)).equals(body)

async function rowsOf(db: Database, told: readonly Told[], tenantId: number): Promise<(Row | undefined)[]> {
  const byId = new Map((await db.rows(results, { tenantId })).map((row) => [row.actionId, row]))
  return told.map(({ actionId }) => byId.get(actionId))
}
