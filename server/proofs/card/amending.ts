// R18: writes are changed while they are confirmed, alone and many at once. What was replaced never runs, of the two at most one does,
// and nobody is told of a decision that is not there.
import type * as contract from '@tether/contract'
import type { z } from 'zod'
import { type Database, unlisted } from '../../src/kernel/db/index.ts'
import type { Fleet } from './fleet.ts'
import { done, openReceiver } from './receiver.ts'
import type { Scene } from './scene.ts'
import { operatorKey } from './settings.ts'
import { each } from './settle.ts'
import { decide, openShop, type Said, type Shop, stage } from './shop.ts'
import { pause } from './wait.ts'

type Row = { actionId: string; state: string; replaces: string | null; replacedBy: string | null }
const rowsOf = unlisted<Row, { tenantId: number }>(
  'proof.amended',
  `select action_id as "actionId", state, replaces, replaced_by as "replacedBy" from actions where tenant_id = $tenantId::int`,
)

/** So many are decided with one request. */
const TOGETHER = 8
/** What a changed write says instead of its order's number. */
const CHANGED = 1_000_000
const LATEST_MS = 60

/** One action, and what whoever touched it was told: a decision by its status, a change by what takes its place. */
type Touched = {
  readonly number: number
  readonly actionId: string
  readonly said: Pick<Said, 'status'>[]
  readonly replacedBy: string[]
}

export type Amending = {
  readonly actions: number
  readonly changed: number
  readonly ranUnchanged: number
  readonly ranChanged: number
  readonly rejected: number
  /** Answers that are true of no row. */
  readonly lost: readonly string[]
  /** Pairs of which both ran, and writes that ran with other arguments than theirs. */
  readonly wrong: readonly string[]
}

export async function amending(scene: Scene, count: number): Promise<Amending> {
  const { fleet, db, random } = scene
  const ran = new Map<string, unknown[]>()
  const receiver = await openReceiver(({ actionId, arguments: { number } }) => {
    ran.set(actionId, [...(ran.get(actionId) ?? []), number])
    return { ...done(), wait: pause(random.int(40)) }
  })
  try {
    const shop = await openShop(fleet, operatorKey, receiver.url)
    const touched: Touched[] = []
    for (let first = 0; first < count; first += TOGETHER)
      touched.push(...(await oneRound(scene, shop, first, Math.min(TOGETHER, count - first))))
    await each(touched, (one, place) => runReplacement(fleet, shop, one, place))
    return judge(touched, await rows(db, shop), ran)
  } finally {
    await receiver.close()
  }
}

/** Each is confirmed and changed by two at once, while somebody decides all of them with one request. */
async function oneRound({ fleet, random }: Scene, shop: Shop, first: number, count: number): Promise<Touched[]> {
  const round = await Promise.all(
    Array.from({ length: count }, async (_, at): Promise<Touched> => {
      const number = first + at
      const { actionId } = await stage(fleet, number, shop, { tool: 'refund_checked', number })
      return { number, actionId, said: [], replacedBy: [] }
    }),
  )
  // A confirm takes more steps than a change. None has a head start, so that either may be in the middle of the other.
  const sometime = () => pause(random.int(LATEST_MS))
  await Promise.all([
    sometime().then(() => decideAll(fleet, shop, round)),
    ...round.flatMap((one) =>
      [confirmed, changed, confirmed, changed].map((touch, at) =>
        sometime().then(() => touch(fleet, shop, one, one.number + at)),
      ),
    ),
  ])
  return round
}

async function confirmed(fleet: Fleet, shop: Shop, one: Touched, seat: number): Promise<void> {
  const said = await decide(fleet, seat, shop, { verb: 'confirm', actionId: one.actionId })
  if (said !== null) one.said.push(said)
}

async function changed(fleet: Fleet, shop: Shop, one: Touched, seat: number): Promise<void> {
  const answer = await fleet.ask(seat, 'POST', `/v1/actions/${one.actionId}/amend`, {
    key: shop.apiKey,
    headers: { 'x-service-user-id': '8' },
    body: { arguments: { number: CHANGED + one.number } },
  })
  const body = answer?.body as Partial<z.output<typeof contract.AmendAnswer>> | undefined
  if (body?.status === 'preview' && typeof body.actionId === 'string') one.replacedBy.push(body.actionId)
}

/** Every third is declined, the others are confirmed. */
async function decideAll(fleet: Fleet, shop: Shop, round: readonly Touched[]): Promise<void> {
  const decisions = round.map(({ actionId, number }) => ({
    actionId,
    decision: number % 3 === 0 ? 'reject' : 'confirm',
  }))
  const answer = await fleet.ask(0, 'POST', '/v1/actions/decide', {
    key: shop.apiKey,
    headers: { 'x-service-user-id': '9' },
    body: { decisions },
  })
  const { results = [] } = (answer?.body ?? {}) as Partial<z.output<typeof contract.DecideAnswer>>
  round.forEach((one, at) => {
    const result = results[at]
    // A result that is missing, or no decision, is true of no row.
    one.said.push(result !== undefined && 'status' in result ? result : { status: 'Replayed' })
  })
}

/** What took the place of another is confirmed by two at once, too. */
async function runReplacement(
  fleet: Fleet,
  shop: Shop,
  { replacedBy: [actionId] }: Touched,
  seat: number,
): Promise<void> {
  if (actionId === undefined) return
  const confirm = (at: number) => decide(fleet, at, shop, { verb: 'confirm', actionId })
  await Promise.all([confirm(seat), confirm(seat + 1)])
}

const rows = async (db: Database, { tenantId }: Shop): Promise<ReadonlyMap<string, Row>> =>
  new Map((await db.rows(rowsOf, { tenantId })).map((row) => [row.actionId, row]))

/** What an answer says, as a state of the row that it is about. */
const MEANS: Readonly<Record<string, string>> = { Executed: 'executed', Replayed: 'executed', Rejected: 'rejected' }

function judge(
  touched: readonly Touched[],
  byId: ReadonlyMap<string, Row>,
  ran: ReadonlyMap<string, readonly unknown[]>,
): Amending {
  const lost: string[] = []
  const wrong: string[] = []
  for (const { number, actionId, said, replacedBy } of touched) {
    const row = byId.get(actionId)
    for (const { status } of said) {
      const means = MEANS[status]
      if (means !== undefined && means !== row?.state) lost.push(`${number}: ${status}, and it is ${row?.state}`)
    }
    const replacements = [...byId.values()].filter(({ replaces }) => replaces === actionId)
    const known = replacements.map((one) => one.actionId)
    if (String(replacedBy) !== String(known) || (known[0] ?? null) !== (row?.replacedBy ?? null))
      lost.push(`${number}: replaced by ${known}, told ${replacedBy}`)
    const sent = [actionId, ...known].map((id) => ran.get(id) ?? [])
    if (sent.flat().length > 1) wrong.push(`${number}: both ran, ${JSON.stringify(sent)}`)
    if (sent[0]?.some((given) => given !== number) || sent[1]?.some((given) => given !== CHANGED + number))
      wrong.push(`${number}: ran as ${JSON.stringify(sent)}`)
    if (known.length > 0 && row?.state !== 'rejected') wrong.push(`${number}: replaced, and ${row?.state}`)
  }
  const count = (is: (one: Touched) => boolean) => touched.filter(is).length
  return {
    actions: touched.length,
    changed: count(({ replacedBy }) => replacedBy.length > 0),
    ranUnchanged: count(({ actionId }) => ran.has(actionId)),
    ranChanged: count(({ replacedBy: [id = ''] }) => ran.has(id)),
    rejected: count(({ actionId, replacedBy }) => replacedBy.length === 0 && byId.get(actionId)?.state === 'rejected'),
    lost,
    wrong,
  }
}
