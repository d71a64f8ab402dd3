// The logs of all buckets, bounded. Each kind of bucket (runtime, control, visitor, anonymous) has a table of its own with
// two generations. A bucket that is touched moves to the young one. When the young one is a window old, everything still
// in the old one has been idle for a window, holds nothing, and is dropped at once: no timers, no scan.
//
// When the young generation is full before that, the generations turn early: the half of this kind that was used least
// recently is forgotten. The policy, with its reasons:
// - Forgetting, not refusing. Only addresses can come in such numbers, and who has that many gains nothing by it, because
//   a fresh address has a full allowance anyway; refusing newcomers would let the same attacker shut everyone out.
// - Never across kinds. A flood of addresses cannot touch the ceiling of a credential.
// - A bucket that is hammered is touched by its refusals too, so it stays known while it is being refused.
import { type AdmissionLog, emptyLog } from './admission-log.ts'
import { kindOf } from './verdict.ts'

export type BucketTable = {
  /** The log of a bucket, if it has one. */
  find(bucket: string, now: number): AdmissionLog | undefined
  /** The log of a bucket, made when it has none. */
  findOrAdd(bucket: string, now: number): AdmissionLog
  /** Drops what has been idle for a window. */
  age(now: number): void
  /** How many buckets are held. */
  size(): number
}

type Kind = { young: Map<string, AdmissionLog>; old: Map<string, AdmissionLog>; turnedAt: number }

export function bucketTable(windowMs: number, maxBucketsPerKind: number): BucketTable {
  const kinds = new Map<string, Kind>()
  const perGeneration = Math.max(1, Math.floor(maxBucketsPerKind / 2))

  function kindFor(bucket: string, now: number): Kind {
    const name = kindOf(bucket)
    const known = kinds.get(name)
    if (known) return known
    const made: Kind = { young: new Map(), old: new Map(), turnedAt: now }
    kinds.set(name, made)
    return made
  }

  function putYoung(kind: Kind, bucket: string, log: AdmissionLog, now: number): AdmissionLog {
    if (kind.young.size >= perGeneration) turn(kind, now)
    kind.young.set(bucket, log)
    return log
  }

  function findIn(kind: Kind, bucket: string, now: number): AdmissionLog | undefined {
    const young = kind.young.get(bucket)
    if (young) return young
    const old = kind.old.get(bucket)
    if (!old) return undefined
    kind.old.delete(bucket)
    return putYoung(kind, bucket, old, now)
  }

  return {
    find: (bucket, now) => findIn(kindFor(bucket, now), bucket, now),
    findOrAdd(bucket, now) {
      const kind = kindFor(bucket, now)
      return findIn(kind, bucket, now) ?? putYoung(kind, bucket, emptyLog(), now)
    },
    age(now) {
      for (const kind of kinds.values()) if (now - kind.turnedAt >= windowMs) turn(kind, now)
    },
    size() {
      let held = 0
      for (const kind of kinds.values()) held += kind.young.size + kind.old.size
      return held
    },
  }
}

function turn(kind: Kind, now: number): void {
  kind.old = kind.young
  kind.young = new Map()
  kind.turnedAt = now
}
