// R15: what may be confirmed again may be confirmed three times in all, and each confirm sends at most once.
import { type Database, unlisted } from '../../src/kernel/db/index.ts'
import { stageSome, UNHURRIED } from './lost-answers.ts'
import { type Act, done, openReceiver } from './receiver.ts'
import type { Scene } from './scene.ts'
import { operatorKey } from './settings.ts'
import { each } from './settle.ts'
import { openShop } from './shop.ts'
import { confirm, type Told } from './storm.ts'

const busy = (status: number): Act => ({ performs: 'no', answer: { status, body: '' } })
const ATTEMPTS = 3

type Row = { actionId: string; state: string; errorCode: string | null; attempts: number }
const outcomes = unlisted<Row, { tenantIds: readonly number[] }>(
  'proof.outcomes',
  `select action_id as "actionId", state, error_code as "errorCode", attempts from actions
    where tenant_id = any ($tenantIds::int[])`,
)

export type Attempts = {
  readonly actions: number
  /** Those that did not go as they must, with how they went. */
  readonly wrong: readonly string[]
  readonly sends: number
}

type Kind = { readonly name: string; readonly racing: boolean; readonly sends: number; readonly ends: string }

/** By `number`, in turn. */
const KINDS: readonly Kind[] = [
  { name: '429, one confirm after the other', racing: false, sends: ATTEMPTS, ends: 'failed' },
  { name: '408, three confirms at once', racing: true, sends: ATTEMPTS, ends: 'failed' },
  { name: '429 twice, then done', racing: true, sends: ATTEMPTS, ends: 'executed' },
]

export async function attempts(scene: Scene, count: number): Promise<Attempts> {
  const kindOf = (number: unknown): number => Number(number) % KINDS.length
  const receiver = await openReceiver(({ arguments: { number }, turn }) => {
    if (kindOf(number) === 2 && turn === ATTEMPTS) return done()
    return busy(kindOf(number) === 1 ? 408 : 429)
  })
  try {
    const { db } = scene
    // What is counted here is attempts: a refusal that came after the calls' time would be no refusal, but an unknown outcome.
    const fleet = await scene.beside(UNHURRIED, { seats: 2 })
    const shop = await openShop(fleet, operatorKey, receiver.url)
    const dead = await openShop(fleet, operatorKey, await closedAddress())
    const told = await stageSome(fleet, shop, { tool: 'refund_order', first: 0, count: count * KINDS.length })
    const unreachable = await stageSome(fleet, dead, { tool: 'refund_order', first: 0, count })
    const wrong: string[] = []
    const sendsOf = ({ actionId }: Told) =>
      receiver.entriesOf(actionId).reduce((sum, { arrivals }) => sum + arrivals, 0)
    const attempt = async (one: Told, number: number) => {
      const racing = KINDS[kindOf(number)]?.racing === true
      for (let round = 1; round <= (racing ? 10 : ATTEMPTS + 1); round++) {
        const before = one.confirmed.length
        await Promise.all(Array.from({ length: racing ? 3 : 1 }, (_, caller) => confirm(fleet, caller + round, one)))
        const expected = Math.min(round, ATTEMPTS)
        if (!racing && sendsOf(one) !== expected) wrong.push(`${sendsOf(one)} sends after ${round} confirms`)
        if (one.confirmed.slice(before).every(({ status }) => status === 'NotFound')) return
      }
    }
    await each(told, attempt)
    for (let round = 0; round <= ATTEMPTS; round++) await each(unreachable, (one) => confirm(fleet, round, one))
    const rows = await rowsOf(db, [shop.tenantId, dead.tenantId])
    told.forEach((one, number) => {
      const kind = KINDS[kindOf(number)]
      if (kind !== undefined) wrong.push(...faultsOf(kind, one, rows.get(one.actionId), sendsOf(one)))
    })
    const away: Kind = { name: 'nobody there', racing: false, sends: 0, ends: 'failed' }
    for (const one of unreachable) wrong.push(...faultsOf(away, one, rows.get(one.actionId), sendsOf(one)))
    return { actions: told.length + unreachable.length, wrong, sends: receiver.arrivals() }
  } finally {
    await receiver.close()
  }
}

function faultsOf({ name, sends, ends }: Kind, told: Told, row: Row | undefined, sent: number): string[] {
  const exhausted = told.confirmed.filter(({ errorCode }) => errorCode === 'EXECUTION_ATTEMPTS_EXHAUSTED').length
  const executed = told.confirmed.filter(({ status }) => status === 'Executed').length
  const code = ends === 'failed' ? 'EXECUTION_ATTEMPTS_EXHAUSTED' : null
  const is = [row?.state, row?.errorCode, row?.attempts, sent, exhausted, executed]
  const must = [ends, code, ATTEMPTS, sends, ends === 'failed' ? 1 : 0, ends === 'executed' ? 1 : 0]
  return String(is) === String(must) ? [] : [`${name}: ${is}, not ${must}`]
}

/** Where nobody listens. */
async function closedAddress(): Promise<string> {
  const receiver = await openReceiver()
  await receiver.close()
  return receiver.url
}

async function rowsOf(db: Database, tenantIds: readonly number[]): Promise<Map<string, Row>> {
  return new Map((await db.rows(outcomes, { tenantIds })).map((row) => [row.actionId, row]))
}
