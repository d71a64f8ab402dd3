import type { ClaimedWrite, Claims } from './claims.ts'
import type { Reply } from './reply.ts'

type Entry = { holder: string; until: number; answered: Reply | undefined; at: number; write: ClaimedWrite | undefined }

const KEPT_MS = 24 * 60 * 60 * 1000

/** In this process alone, and gone with it: to try things out. A restart forgets what was performed. */
export function memoryClaims(): Claims {
  const entries = new Map<string, Entry>()
  const open = (key: string, holder: string | null): Entry | undefined => {
    const entry = entries.get(key)
    return entry !== undefined && entry.answered === undefined && (holder ?? entry.holder) === entry.holder
      ? entry
      : undefined
  }
  return {
    async claim(key, { holder, leaseMs, takeOver, write }) {
      const now = Date.now()
      forget(entries, now)
      const known = entries.get(key)
      if (known?.answered !== undefined) return { answered: known.answered }
      if (known !== undefined && !(takeOver && known.until <= now)) return 'in_flight'
      entries.set(key, { holder, until: now + leaseMs, answered: undefined, at: known?.at ?? now, write })
      return known === undefined ? 'claimed' : 'taken_over'
    },
    async answer(key, holder, reply) {
      const entry = open(key, holder)
      if (entry !== undefined) entry.answered = reply
      return entry !== undefined
    },
    async release(key, holder) {
      if (open(key, holder) !== undefined) entries.delete(key)
    },
    async abandon(key, holder) {
      const entry = open(key, holder)
      if (entry !== undefined) entry.until = 0
    },
    async list({ tenantId, since, after, limit }) {
      return [...entries]
        .filter(([key, { at, write }]) => write?.tenantId === tenantId && at >= since.getTime() && key > after)
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .slice(0, limit)
        .map(([key, { at, write, answered }]) => ({
          key,
          tool: write?.tool ?? null,
          status: answered?.status ?? null,
          claimedAt: new Date(at),
        }))
    },
  }
}

/** A map keeps the order of its keys, so the oldest come first. */
function forget(entries: Map<string, Entry>, now: number): void {
  for (const [key, { answered, at }] of entries) {
    if (now - at < KEPT_MS) return
    if (answered !== undefined) entries.delete(key)
  }
}
