// In which database a tenant is. Nothing is written down about it: the tenant's row is there, so whoever does not know asks all of them
// at once, and keeps the answer for seconds.
import { KEY_SHAPE } from '@tether/contract'
import { equalDigests, sha256 } from '../../foundation/crypto/index.ts'
import { isUnavailable, type Queries } from '../../foundation/db/index.ts'
import { type RequestHead, refuse } from '../../foundation/http/index.ts'
import { databaseAway, openBuckets, openStrangers, presentedKey, tooMany } from '../access/index.ts'
import type { House } from '../context/index.ts'
import * as sql from './queries.ts'

/** A database in which tenants are. */
export type Place = {
  readonly name: string
  readonly db: Pick<Queries, 'one' | 'rows'>
  /** False until it has been seen that it is the database that it is called. */
  isOpen(): boolean
}

export type Whereabouts<At extends Place> = {
  ofTenant(tenantId: number): Promise<At | null>
  /** Of the number of a tenant that anybody may have written. */
  ofNumber(tenantId: number, head: RequestHead): Promise<At | null>
  /** Of the key that came with a request. */
  ofRequest(head: RequestHead): Promise<At | null>
  /** Of a key that stands somewhere else, in a form. */
  ofKey(key: string, head: RequestHead): Promise<At | null>
  ofPrefix(prefix: string): Promise<At | null>
}

/** How long an answer may be old. */
const FRESH_MS = 5_000
const MOST_KNOWN = 100_000

type Options = Pick<House, 'settings'> & { readonly now?: () => number }

export function openWhereabouts<At extends Place>(
  places: readonly [At, ...At[]],
  { settings, now = () => performance.now() }: Options,
): Whereabouts<At> {
  const ofTenant = openTenantPlaces(places, now)
  const strangers = openStrangers(settings.rateLimit.anonymousPerMinute, now)
  const bucketOf = openBuckets(settings)
  const operatorKey = settings.operator.apiKey
  const operatorHash = operatorKey === undefined ? null : sha256(operatorKey)

  /** All are asked for its hash at once, so that a key of before is found as one of today is. Whose it is never changes. */
  async function ofKey(key: string, head: RequestHead): Promise<At | null> {
    const hash = sha256(key)
    const isOperators = operatorHash !== null && equalDigests(hash, operatorHash)
    if (isOperators || !KEY_SHAPE.test(key)) return null
    const name = hash.toString('latin1')
    return await lookFor(name, head, async () => {
      const owner = strangers.ownerOf(name)
      if (owner !== undefined) return await tenantAt(owner)
      let tenantId: number | undefined
      const place = await placeWhere(places, async (db) => {
        const row = await db.one(sql.ownerOfKey, { hash })
        tenantId ??= row?.tenantId
        return row !== undefined
      })
      return place === null || tenantId === undefined ? undefined : { tenantId, place }
    })
  }

  async function tenantAt(tenantId: number) {
    const place = await ofTenant(tenantId)
    return place === null ? undefined : { tenantId, place }
  }

  /** Every database is asked, so nobody may have that done as often as they like. */
  async function lookFor(
    name: string,
    head: RequestHead,
    ask: () => Promise<{ readonly tenantId: number; readonly place: At } | undefined>,
  ): Promise<At | null> {
    const looked = await strangers.look(name, bucketOf(head), ask)
    if (looked.refused !== null) throw tooMany(looked.refused)
    return looked.found?.place ?? null
  }

  return {
    ofTenant,
    ofKey,
    ofNumber: (tenantId, head) => lookFor(`tenant ${tenantId}`, head, () => tenantAt(tenantId)),
    ofRequest: async (head) => {
      const key = presentedKey(head.headers)
      return key === null ? null : await ofKey(key, head)
    },
    async ofPrefix(prefix) {
      const owners = await Promise.all(
        places.map(async (place) => (await mustAsk(place).rows(sql.ownersOfPrefix, { prefix })).length),
      )
      if (owners.reduce((all, count) => all + count, 0) > 1) {
        throw refuse('ambiguous_prefix', 'Several tenants have a key with this prefix. Choose one with ?tenantId=.')
      }
      return places[owners.findIndex((count) => count > 0)] ?? null
    },
  }
}

/** Only who was found is remembered: there is no end of tenants that are nowhere. */
function openTenantPlaces<At extends Place>(
  places: readonly At[],
  now: () => number,
): (tenantId: number) => Promise<At | null> {
  const known = new Map<number, { readonly until: number; readonly place: Promise<At | null> }>()
  return async (tenantId) => {
    const last = known.get(tenantId)
    if (last !== undefined && now() < last.until) return await last.place
    known.delete(tenantId)
    const [oldest] = known.keys()
    if (known.size >= MOST_KNOWN && oldest !== undefined) known.delete(oldest)
    const place = placeWhere(places, async (db) => (await db.one(sql.livesHere, { tenantId })) !== undefined)
    const asked = { until: now() + FRESH_MS, place }
    known.set(tenantId, asked)
    const forget = () => {
      if (known.get(tenantId) === asked) known.delete(tenantId)
    }
    place.then((found) => {
      if (found === null) forget()
    }, forget)
    return await place
  }
}

function mustAsk({ isOpen, db }: Place): Place['db'] {
  if (!isOpen()) throw databaseAway()
  return db
}

/**
 * The first that says yes, without waiting for the others: one that is away holds up nobody whose tenant is elsewhere. If none says yes
 * and one is away, nobody knows.
 */
function placeWhere<At extends Place>(
  places: readonly At[],
  isThere: (db: Place['db']) => Promise<boolean>,
): Promise<At | null> {
  const { promise, resolve, reject } = Promise.withResolvers<At | null>()
  const asked = places.map(async (place) => {
    if (await isThere(mustAsk(place))) resolve(place)
  })
  void Promise.allSettled(asked).then((ends) => {
    const failure = ends.find((end) => end.status === 'rejected')?.reason
    if (failure === undefined) resolve(null)
    else reject(isUnavailable(failure) ? databaseAway() : failure)
  })
  return promise
}
