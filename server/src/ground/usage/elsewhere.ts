import { inTime } from '../../foundation/clock/index.ts'
import { isUnavailable, type Queries } from '../../foundation/db/index.ts'
import type { House } from '../context/index.ts'
import { spentByAll } from './queries.ts'

/** In US dollars. `usd`: together with what is reserved. */
export type Sums = { readonly usd: number; readonly spentUsd: number }
/** By period. */
type Spent = ReadonlyMap<string, Sums>

type Elsewhere = { known: Spent; isSilent: boolean }

const ELSEWHERE_MS = 1_000

/** As this process last heard of each database. It counts while that is away: what was spent there is spent. */
const all = new WeakMap<Queries, Elsewhere>()

/** What the other databases have spent and reserved under the ceilings of the deployment, each as it is now or was last heard of. */
export async function spentElsewhere(
  { others }: Pick<House, 'others'>,
  periods: readonly string[],
): Promise<(period: string) => Sums> {
  const databases = others === undefined ? [] : [...(others.first === null ? [] : [others.first]), ...others.rest]
  const found = await Promise.all(databases.map((db) => spentIn(db, periods)))
  const sum = (period: string, of: keyof Sums) => found.reduce((all, spent) => all + (spent.get(period)?.[of] ?? 0), 0)
  return (period) => ({ usd: sum(period, 'usd'), spentUsd: sum(period, 'spentUsd') })
}

async function spentIn(db: Queries, periods: readonly string[]): Promise<Spent> {
  const elsewhere = all.get(db) ?? { known: new Map(), isSilent: false }
  all.set(db, elsewhere)
  // Somebody waits for its answer already, and longer than everybody may.
  if (elsewhere.isSilent) return elsewhere.known
  let isOver = false
  const asked = ask(db, periods).then((spent) => {
    elsewhere.known = spent ?? elsewhere.known
    return elsewhere.known
  })
  const over = () => {
    isOver = true
    elsewhere.isSilent = false
  }
  asked.then(over, over)
  const spent = await inTime(ELSEWHERE_MS, asked)
  elsewhere.isSilent = spent === undefined && !isOver
  return spent ?? elsewhere.known
}

/** Undefined where it is away. */
async function ask(db: Queries, periods: readonly string[]): Promise<Spent | undefined> {
  try {
    const rows = await db.rows(spentByAll, { periods })
    return new Map(rows.map(({ period, ...sums }) => [period, sums]))
  } catch (error) {
    if (isUnavailable(error)) return undefined
    throw error
  }
}
