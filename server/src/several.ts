// The service over several databases: the whole of it once over each, and one server before them. Nothing in it knows of the others
// but for what is of all of them: the ids of tenants, who may sign up, and how often an address may ask.
import { type App, type AppParts, openApp, serverOf } from './app.ts'
import type { Database } from './foundation/db/index.ts'
import { limiterOf } from './ground/limits/index.ts'
import { watchMoves } from './ground/moves/index.ts'
import { dispatch, openSayAway, openWhereabouts, type Shard } from './ground/shards/index.ts'

export type ShardParts = AppParts & {
  readonly name: string
  /** Resolves once the database is seen to be the one that it is called. Until then nobody is looked for there, and nobody works. */
  readonly opened: Promise<void>
}

type Opened = { readonly app: App; readonly shard: Shard; readonly opened: Promise<void> }
type Several<Of> = readonly [Of, ...Of[]]

/** The first names the deployment. `newTenants` is the name of the one that takes new workspaces. */
export function openSeveral(parts: Several<ShardParts>, newTenants: string): App {
  const [first] = parts
  const limiter = limiterOf(first)
  const open = (one: ShardParts): Opened => {
    const log = one.log.child({ shard: one.name })
    const app = openApp({ ...one, log, limiter, others: othersOf(one, parts) })
    let isOpen = false
    const opened = one.opened.then(() => {
      isOpen = true
    })
    const { name, db } = one
    const sayAway = openSayAway(name, log)
    return { app, opened, shard: { name, db, house: app.house, ...app.served, isOpen: () => isOpen, sayAway } }
  }
  const [head, ...rest] = parts
  // What is said of a request is said in no database's name: the one that answered stands in its line.
  return together([open(head), ...rest.map(open)], newTenants, { limiter, log: first.log })
}

function othersOf(own: ShardParts, parts: Several<ShardParts>) {
  const [first, ...further] = parts
  const rest: Database[] = further.filter((one) => one !== own).map(({ db }) => db)
  return { first: own === first ? null : first.db, rest }
}

type Common = { readonly limiter: ReturnType<typeof limiterOf>; readonly log: AppParts['log'] }

/** What looks into one of them, as the demo and tests do, looks into the one that takes new workspaces. */
function together(opened: Several<Opened>, newTenants: string, { limiter, log }: Common): App {
  const [{ app: first, shard }, ...others] = opened
  const apps = opened.map(({ app }) => app)
  const shards: Several<Shard> = [shard, ...others.map((one) => one.shard)]
  const newcomers = shards.find(({ name }) => name === newTenants)
  if (newcomers === undefined) throw new Error(`There is no database "${newTenants}" for new workspaces.`)
  const whereabouts = openWhereabouts(shards, first.house)
  const served = dispatch({ routes: first.routes, shards, whereabouts, newcomers })
  watchMoves(first.house)
  const server = serverOf({ ...first.house, log }, served)
  const all = (work: (app: App) => Promise<void>) => async () => {
    await Promise.all(apps.map(work))
  }
  const { house, pump } = opened.find((one) => one.shard === newcomers)?.app ?? first
  return {
    ...first,
    house,
    pump,
    server,
    served,
    duties: apps.flatMap(({ duties }) => duties),
    ready: () => limiter.ready(),
    recovery: recoveryOf(apps),
    drain: () => {
      for (const app of apps) app.drain()
    },
    letGo: () => {
      for (const app of apps) app.letGo()
    },
    startWork() {
      for (const { app, opened: seen } of opened)
        void seen.then(
          () => app.startWork(),
          () => undefined,
        )
    },
    settled: all((app) => app.settled()),
    flush: all((app) => app.flush()),
    async close() {
      for (const app of apps) app.letGo()
      await server.close()
      await all((app) => app.close())()
      await limiter.close()
    },
  }
}

/** A workspace that is named is in one of them, and the others say nothing of it. */
const recoveryOf = (apps: readonly App[]): App['recovery'] => ({
  async *ask(asked) {
    for (const { recovery } of apps) yield* recovery.ask(asked)
  },
  async compare(given) {
    for (const { recovery } of apps) {
      const found = await recovery.compare(given)
      if (found !== null) return found
    }
    return null
  },
})
