// R8: confirm, confirm, reject and the sweep meet at the deadline. One of them wins, and after the window nothing runs.
import { type Database, unlisted } from '../../src/kernel/db/index.ts'
import { randomOf } from '../fuzz/random.ts'
import type { Fleet } from './fleet.ts'
import { patienceMs, seed } from './form.ts'
import { UNHURRIED } from './lost-answers.ts'
import { done, openReceiver, type Receiver } from './receiver.ts'
import type { Scene } from './scene.ts'
import { operatorKey } from './settings.ts'
import { asked, decide, openShop, type Said, type Shop, stage } from './shop.ts'
import { pause, until } from './wait.ts'

export type Deadline = {
  readonly actions: number
  readonly executed: number
  readonly rejected: number
  readonly expired: number
  /** Trails that are none of those that there may be, with the trail. */
  readonly otherTrails: readonly string[]
  /** Executed by a confirm that was sent after the window. */
  readonly ranLate: number
  /** Told other than it is (two winners, an answer that the state does not bear out), each with its state and answers. */
  readonly toldWrong: readonly string[]
  /** Sent other than once when executed, or at all when not. */
  readonly sentWrong: number
  readonly underPolicy: number
  readonly superseded: number
}

type Raced = {
  readonly actionId: string
  readonly tenantId: number
  readonly answers: readonly Answer[]
}
type Answer = { readonly verb: 'confirm' | 'reject'; readonly late: boolean; readonly said: Said | null }

type Row = { actionId: string; state: string; trail: string }
const trails = unlisted<Row, { tenantIds: readonly number[] }>(
  'proof.trails_at_deadline',
  `select a.action_id as "actionId", a.state, coalesce((
      select string_agg(e.event, ' ' order by e.id) from audit_events e
        where e.tenant_id = a.tenant_id and e.action_id = a.action_id), '') as trail
    from actions a where a.tenant_id = any ($tenantIds::int[])`,
)

const PEOPLE = [7, 8]
/** Each waits for its deadline most of the time. */
const AT_ONCE = 400

export async function deadline(scene: Scene, count: number): Promise<Deadline> {
  const receiver = await openReceiver(() => ({ ...done(), wait: pause(5) }))
  try {
    const { db } = scene
    // What is raced here is the deadline: an answer of the endpoint that a busy machine gives late must have been heard.
    const fleet = await scene.beside(UNHURRIED, { seats: 2 })
    const free = await openShop(fleet, operatorKey, receiver.url)
    const ruled = await openShop(fleet, operatorKey, receiver.url)
    await rule(fleet, ruled)
    const numbers = Array.from({ length: count }, (_, number) => number)
    const raced = await inLanes(numbers, AT_ONCE, (number) => race(fleet, number % 2 === 0 ? free : ruled, number))
    await until(async () => (await open(db, [free, ruled])) === 0, patienceMs)
    return await counted(db, raced, receiver, ruled)
  } finally {
    await receiver.close()
  }
}

/** Anybody of two may approve, and one yes is enough: two that come at once are approved, approved, executed, superseded. */
async function rule(fleet: Fleet, { apiKey }: Shop): Promise<void> {
  const users = PEOPLE.map((userId) => ({ userId, displayName: `Person ${userId}`, role: 'manager' }))
  await asked(fleet, 'PUT', '/v1/users', { key: apiKey, body: { users } })
  await asked(fleet, 'PUT', '/v1/policy', { key: apiKey, body: { rules: [{ roles: ['manager'], approvers: 1 }] } })
}

async function race(fleet: Fleet, shop: Shop, number: number): Promise<Raced> {
  const random = randomOf(seed, number)
  const { actionId, expiresAt } = await stage(fleet, number, shop, { tool: 'refund_soon', number })
  const end = Date.parse(expiresAt)
  // Most around the end, some well before it; the clocks of this machine are one.
  const [from, range] = random.chance(0.4) ? [end - 1_500, 100] : [end - 250, 320]
  const act = async (verb: Answer['verb'], userId: number, seat: number): Promise<Answer> => {
    await pause(from + random.int(range) - Date.now())
    // An instant in an answer is cut to its millisecond.
    const late = Date.now() > end + 1
    return { verb, late, said: await decide(fleet, seat, shop, { verb, actionId, userId }) }
  }
  const acts = [act('confirm', 7, number), act('confirm', 8, number + 1), act('confirm', 7, number + 2)]
  if (random.chance(0.5)) acts.push(act('reject', 8, number + 1))
  return { actionId, tenantId: shop.tenantId, answers: await Promise.all(acts) }
}

async function open(db: Database, shops: readonly Shop[]): Promise<number> {
  const rows = await db.rows(trails, { tenantIds: shops.map(({ tenantId }) => tenantId) })
  return rows.filter(({ state }) => state === 'pending' || state === 'executing').length
}

/** Who of two approved and lost is superseded; who lost without having been heard is not in the trail. */
const TRAILS = [
  /^proposed (rejected|expired)$/,
  /^proposed approved executed$/,
  /^proposed approved approved executed superseded$/,
  /^proposed( approved)+ (rejected|expired)$/,
]

async function counted(db: Database, raced: readonly Raced[], receiver: Receiver, ruled: Shop): Promise<Deadline> {
  const tenantIds = [...new Set(raced.map(({ tenantId }) => tenantId))]
  const rows = new Map((await db.rows(trails, { tenantIds })).map((row) => [row.actionId, row]))
  const of = (one: Raced) => rows.get(one.actionId) ?? { actionId: one.actionId, state: 'gone', trail: '' }
  const inState = (state: string) => raced.filter((one) => of(one).state === state).length
  const sends = ({ actionId }: Raced) => receiver.entriesOf(actionId).reduce((sum, entry) => sum + entry.arrivals, 0)
  return {
    actions: raced.length,
    executed: inState('executed'),
    rejected: inState('rejected'),
    expired: inState('expired'),
    otherTrails: raced
      .map(of)
      .filter(({ state, trail }) => !trail.includes(` ${state}`) || !TRAILS.some((one) => one.test(trail)))
      .map(({ state, trail }) => `${state}: ${trail}`),
    ranLate: raced.filter(({ answers }) => answers.some(({ late, said }) => late && said?.status === 'Executed'))
      .length,
    toldWrong: raced
      .filter((one) => isToldWrong(of(one).state, one.answers))
      .map((one) => `${of(one).trail}: ${one.answers.map(inWords).join(', ')}`),
    sentWrong: raced.filter((one) => sends(one) !== (of(one).state === 'executed' ? 1 : 0)).length,
    underPolicy: raced.filter(({ tenantId }) => tenantId === ruled.tenantId).length,
    superseded: raced.filter((one) => of(one).trail.endsWith('superseded')).length,
  }
}

const inWords = ({ verb, late, said }: Answer): string =>
  `${late ? 'late ' : ''}${verb} ${said === null ? 'unanswered' : `${said.http} ${said.status} ${said.errorCode}`}`

function isToldWrong(state: string, answers: readonly Answer[]): boolean {
  const told = (status: Said['status']) => answers.filter(({ said }) => said?.status === status).length
  return (
    told('Executed') !== (state === 'executed' ? 1 : 0) ||
    (told('Rejected') > 0 && state !== 'rejected') ||
    (told('Expired') > 0 && state !== 'expired') ||
    answers.some(({ said }) => said === null || said.http >= 500)
  )
}

async function inLanes<Item, Result>(
  items: readonly Item[],
  lanes: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const lane = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) results.push(await work(item))
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return results
}
