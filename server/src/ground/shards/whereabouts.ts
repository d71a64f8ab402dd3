// In which database a tenant is. Nothing is written down about it: the tenant's row is there, so whoever does not know asks all of them
// at once, and keeps the answer for seconds.
import { KEY_SHAPE } from '@tether/contract'
import { equalDigests, sha256 } from '../../foundation/crypto/index.ts'
import { isUnavailable, type Queries } from '../../foundation/db/index.ts'
import { type RequestHead, refuse } from '../../foundation/http/index.ts'
import { databaseAway, openBuckets, openStrangers, presentedKey, tooMany } from '../access/index.ts'
import type { House } from '../context/index.ts'
import type { SayAway } from './away.ts'
import * as sql from './queries.ts'

/** A database in which tenants are. */
export type Place = {
  readonly name: string
  readonly db: Pick<Queries, 'one' | 'rows'>
  /** False until it has been seen that it is the database that it is called. */
  isOpen(): boolean
  readonly sayAway: SayAway
}

export type Whereabouts<At extends Place> = {
  /** `anew`: what was remembered turned out to be old. */
  ofTenant(tenantId: number, anew?: boolean): Promise<At | null>
  /** Of the number of a tenant that anybody may have written. */
  ofNumber(tenantId: number, head: RequestHead): Promise<At | null>
  /** Of the key that came with a request. */
  ofRequest(head: RequestHead, anew?: boolean): Promise<At | null>
  /** Of a key that stands somewhere else, in a form. */
  ofKey(key: string, head: RequestHead): Promise<At | null>
  ofPrefix(prefix: string): Promise<At | null>
}

/** How long an answer may be old. */
export const FRESH_MS = 5_000
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

  /**
   * All are asked for its hash at once, so that a key of before is found as one of today is. Whose it is never changes; where that
   * tenant is may, and while it moves, its keys are in two.
   */
  async function ofKey(key: string, head: RequestHead, anew = false): Promise<At | null> {
    const hash = sha256(key)
    const isOperators = operatorHash !== null && equalDigests(hash, operatorHash)
    if (isOperators || !KEY_SHAPE.test(key)) return null
    const name = hash.toString('latin1')
    return await lookFor(name, head, async () => {
      const owner = strangers.ownerOf(name) ?? (await ownerOfKey(places, hash))
      return owner === undefined ? undefined : await tenantAt(owner, anew)
    })
  }

  async function tenantAt(tenantId: number, anew = false) {
    const place = await ofTenant(tenantId, anew)
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
    ofRequest: async (head, anew) => {
      const key = presentedKey(head.headers)
      return key === null ? null : await ofKey(key, head, anew)
    },
    async ofPrefix(prefix) {
      const owner = await ownerOfPrefix(places, prefix)
      return owner === undefined ? null : await ofTenant(owner)
    },
  }
}

/** Only who was found, and stays there, is remembered: there is no end of tenants that are nowhere. */
function openTenantPlaces<At extends Place>(
  places: readonly At[],
  now: () => number,
): (tenantId: number, anew?: boolean) => Promise<At | null> {
  const known = new Map<number, { readonly until: number; readonly place: Promise<Found<At>> }>()
  return async (tenantId, anew = false) => {
    const last = known.get(tenantId)
    if (last !== undefined && now() < last.until && !anew) return (await last.place).at
    known.delete(tenantId)
    const [oldest] = known.keys()
    if (known.size >= MOST_KNOWN && oldest !== undefined) known.delete(oldest)
    const place = placeOfTenant(places, tenantId)
    const asked = { until: now() + FRESH_MS, place }
    known.set(tenantId, asked)
    const forget = () => {
      if (known.get(tenantId) === asked) known.delete(tenantId)
    }
    place.then(({ stays }) => {
      if (!stays) forget()
    }, forget)
    return (await place).at
  }
}

const placeOfTenant = <At extends Place>(places: readonly At[], tenantId: number): Promise<Found<At>> =>
  placeWhere(places, async (db) => {
    const row = await db.one(sql.livesHere, { tenantId })
    if (row === undefined) return 'no'
    return row.leaving ? 'leaving' : 'yes'
  })

async function ownerOfKey(places: readonly Place[], hash: Buffer): Promise<number | undefined> {
  let owner: number | undefined
  await placeWhere(places, async (db) => {
    const row = await db.one(sql.ownerOfKey, { hash })
    owner ??= row?.tenantId
    return row === undefined ? 'no' : 'yes'
  })
  return owner
}

async function ownerOfPrefix(places: readonly Place[], prefix: string): Promise<number | undefined> {
  const rows = await Promise.all(places.map((place) => mustAsk(place).rows(sql.ownersOfPrefix, { prefix })))
  const [owner, ...others] = new Set(rows.flat().map(({ tenantId }) => tenantId))
  if (others.length > 0) {
    throw refuse('ambiguous_prefix', 'Several tenants have a key with this prefix. Choose one with ?tenantId=.')
  }
  return owner
}

function mustAsk({ isOpen, db }: Place): Place['db'] {
  if (!isOpen()) throw databaseAway()
  return db
}

/** `stays`: it was found, and is not on its way to another place. */
type Found<At> = { readonly at: At | null; readonly stays: boolean }

/**
 * The first that says yes, without waiting for the others: one that is away holds up nobody whose tenant is elsewhere. If none says yes,
 * it is where it is leaving. If it is not there either and one is away, nobody knows.
 */
function placeWhere<At extends Place>(
  places: readonly At[],
  isThere: (db: Place['db']) => Promise<'yes' | 'leaving' | 'no'>,
): Promise<Found<At>> {
  const { promise, resolve, reject } = Promise.withResolvers<Found<At>>()
  let leaving: At | undefined
  const asked = places.map(async (place) => {
    const answer = await isThere(mustAsk(place)).catch((error: unknown) => {
      place.sayAway(error)
      throw error
    })
    if (answer === 'yes') resolve({ at: place, stays: true })
    if (answer === 'leaving') leaving = place
  })
  void Promise.allSettled(asked).then((ends) => {
    const failure = ends.find((end) => end.status === 'rejected')?.reason
    if (leaving !== undefined) resolve({ at: leaving, stays: false })
    else if (failure === undefined) resolve({ at: null, stays: false })
    else reject(isUnavailable(failure) ? databaseAway() : failure)
  })
  return promise
}
