// One server for several databases: each request is answered by the whole service over one of them, which knows nothing of the others.
import { isMoving, isUnavailable } from '../../foundation/db/index.ts'
import {
  type Carried,
  type Endpoint,
  Refusal,
  type RequestHead,
  type RequestParts,
  type ServerOptions,
} from '../../foundation/http/index.ts'
import { databaseAway, type Named, type Route, whoseOf } from '../access/index.ts'
import type { House } from '../context/index.ts'
import type { Place, Whereabouts } from './whereabouts.ts'

/** The whole service over one database. */
export type Shard = Place & {
  readonly house: House
  /** One for each route, in the same order everywhere, and then what no route declares. */
  readonly endpoints: readonly Endpoint[]
  readonly unmatched: ServerOptions['unmatched']
}

export type Dispatching = {
  readonly routes: readonly Route[]
  readonly shards: readonly [Shard, ...Shard[]]
  readonly whereabouts: Whereabouts<Shard>
  /** Where new workspaces are made. */
  readonly newcomers: Shard
}

type Dispatched = Pick<ServerOptions, 'endpoints' | 'unmatched'>

type Answered = Awaited<ReturnType<Endpoint['handle']>>

/** Who was let in, and where. */
type Admitted = { readonly at: Shard; readonly asking: unknown }

/** Throws where nothing says whose the requests of a route are. */
export function dispatch({ routes, shards, whereabouts, newcomers }: Dispatching): Dispatched {
  const [first] = shards
  const all = { shards, whereabouts, newcomers }
  return {
    endpoints: [
      ...routes.map((route, at) => endpointOf(route, (shard) => endpointAt(shard, at), all)),
      // What is said before a request is the same everywhere.
      ...first.endpoints.slice(routes.length),
    ],
    async unmatched(head, carried) {
      const at = (await whereabouts.ofRequest(head)) ?? first
      return await askShard(at, () => at.unmatched(head, carried))
    },
  }
}

function endpointAt({ endpoints, name }: Shard, at: number): Endpoint {
  const endpoint = endpoints[at]
  if (endpoint === undefined) throw new Error(`The service over ${name} lacks a route that the others have.`)
  return endpoint
}

type All = Omit<Dispatching, 'routes'>

function endpointOf(route: Route, own: (shard: Shard) => Endpoint, all: All): Endpoint {
  const whose = whoseOf(route)
  const { shards, whereabouts } = all
  const [first] = shards
  const { handle, ...declared } = own(first)

  /** By what stands in the head. Whatever follows from the body is decided when it is there, and until then any of them will do. */
  async function placeOf(head: RequestHead, anew: boolean): Promise<Shard | null> {
    // Of the operator's routes, whoever comes with a tenant's key is told that it does not reach them.
    if (whose === 'key' || route.reach.who !== 'anyone') return await whereabouts.ofRequest(head, anew)
    const tenantId = typeof whose === 'object' && 'cookie' in whose ? whose.cookie(first.house, head) : null
    return tenantId === null ? null : await whereabouts.ofTenant(tenantId, anew)
  }

  const admitted = (
    head: RequestHead,
    admit: (at: Shard) => Promise<unknown>,
    logged: Carried['logged'] = {},
  ): Promise<Admitted> =>
    onceMore(async (anew) => {
      const found = await placeOf(head, anew)
      // The line of a request names a database only where its tenant is known to be.
      if (found !== null) logged.shard = found.name
      const at = found ?? first
      return { at, asking: await askShard(at, () => admit(at)) }
    })

  async function answer(admitted: Admitted, head: RequestHead, parts: RequestParts): Promise<Answered> {
    const at = async (shard: Shard) => {
      if (!shard.isOpen()) throw databaseAway()
      return await askShard(shard, () => own(shard).handle(admitted.asking, head, parts))
    }
    if (whose === 'newcomer') return await at(all.newcomers)
    if (whose === 'everybody') return await byEverybody(shards, at)
    if (typeof whose === 'object' && 'sum' in whose) {
      const ask = whose.evenAway === true ? (shard: Shard) => own(shard).handle(admitted.asking, head, parts) : at
      const answers = await Promise.all(shards.map(async (shard) => ({ shard: shard.name, answer: await ask(shard) })))
      const [one, ...others] = answers
      if (one === undefined) throw new Error('There is no database to ask.')
      return whose.sum([one, ...others], { ...parts, head })
    }
    if (typeof whose === 'object' && 'names' in whose) {
      const named = nameIn(() => whose.names(first.house, { ...parts, head }))
      // The operator was let in by a key, and asks as often as that may.
      if (typeof named === 'number' && route.reach.who === 'operator')
        return await at((await whereabouts.ofTenant(named)) ?? first)
      return await at(await placeNamed(named, head, all))
    }
    // Whoever is asked nothing of the database needs none.
    if (whose === 'nobody') return await handle(admitted.asking, head, parts)
    return await at(admitted.at)
  }

  return {
    ...declared,
    admit: (head, carried) => admitted(head, (at) => own(at).admit(head, carried), carried.logged),
    readmit: (head) => admitted(head, (at) => own(at).readmit(head)),
    // The casts are true because the server passes what this endpoint's own `admit` returned.
    check(admitted, parts) {
      const { at, asking } = admitted as Admitted
      own(at).check(asking, parts)
    },
    handle: (admitted, head, parts) =>
      answer(admitted as Admitted, head, parts).catch(async (error: unknown) => {
        // The next request is to find it where it is by then.
        if (isLeaving(error)) await placeOf(head, true).catch(() => undefined)
        throw error
      }),
  }
}

const isLeaving = (error: unknown): boolean =>
  isMoving(error) || (error instanceof Refusal && error.code === 'workspace_moving')

/** Where a tenant is leaving, it is asked once more where it is: this process may remember where it was. */
async function onceMore<Result>(ask: (anew: boolean) => Promise<Result>): Promise<Result> {
  try {
    return await ask(false)
  } catch (error) {
    if (!isLeaving(error)) throw error
    return await ask(true)
  }
}

/** A refusal is of what was named: whichever database answers will say it in the same words. */
function nameIn(read: () => Named): Named {
  try {
    return read()
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

async function placeNamed(named: Named, head: RequestHead, all: All): Promise<Shard> {
  const { whereabouts, newcomers, shards } = all
  if (named === 'newcomer') return newcomers
  if (typeof named === 'number') return (await whereabouts.ofNumber(named, head)) ?? shards[0]
  if (named === null) return shards[0]
  const found = 'key' in named ? await whereabouts.ofKey(named.key, head) : await whereabouts.ofPrefix(named.prefix)
  return found ?? shards[0]
}

/**
 * Each writes down who asks. What one refuses, such as one link too many, is the answer. One that is away mails nobody, and keeps the
 * others from nothing.
 */
async function byEverybody(shards: readonly Shard[], answerAt: (shard: Shard) => Promise<Answered>): Promise<Answered> {
  let answer: Answered | undefined
  let away: unknown
  for (const shard of shards) {
    try {
      const given = await answerAt(shard)
      answer ??= given
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'database_unavailable') throw error
      away = error
    }
  }
  if (answer === undefined) throw away
  return answer
}

type AskShard = <Result>(shard: Shard, work: () => Promise<Result>) => Promise<Result>

/** Says which database is away, in the log and not to whoever asked. */
const askShard: AskShard = async (shard, work) => {
  try {
    return await work()
  } catch (error) {
    if (!isUnavailable(error)) throw error
    shard.sayAway(error)
    throw databaseAway()
  }
}
