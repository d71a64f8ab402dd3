// The logs of all buckets, in bounded memory. Each kind of bucket (runtime, control, visitor, anonymous) has its own table
// with two generations. A bucket that is used moves to the young one. When the young one is a window old, everything still in
// the old one has been idle for a window and holds nothing, so it is dropped at once, without timers or a scan.
//
// If the young generation is full before that, the generations turn early, and the half of this kind that was used least
// recently is forgotten. The policy and its reasons:
// - We forget rather than refuse. Only addresses come in such numbers, and whoever has that many gains nothing by it, because
//   a new address has a full allowance anyway. Refusing newcomers would let the same attacker shut everyone out.
// - Kinds are separate, so that a flood of addresses cannot touch the ceiling of a credential.
// - A refusal counts as use, so a bucket that is hammered stays known while it is being refused.
import { type AdmissionLog, emptyLog } from './admission-log.ts'
import { bucketKindOf } from './verdict.ts'

type BucketTable = {
  /** Finds a bucket's log, if it has one. */
  find(bucket: string, now: number): AdmissionLog | undefined
  /** Finds a bucket's log, or adds an empty one. */
  findOrAdd(bucket: string, now: number): AdmissionLog
  /** Drops what has been idle for a window. */
  age(now: number): void
  /** How many buckets are in memory. */
  size(): number
}

type Kind = { young: Map<string, AdmissionLog>; old: Map<string, AdmissionLog>; turnedAt: number }

export function bucketTable(windowMs: number, maxBucketsPerKind: number): BucketTable {
  const kinds = new Map<string, Kind>()
  const perGeneration = Math.max(1, Math.floor(maxBucketsPerKind / 2))

  function kindFor(bucket: string, now: number): Kind {
    const name = bucketKindOf(bucket)
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
