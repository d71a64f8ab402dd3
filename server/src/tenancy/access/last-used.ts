import { isUnavailable } from '../../kernel/db/index.ts'
import type { House } from '../context/index.ts'
import { type CredentialRow, touchKeys } from './queries.ts'

const MINUTE = 60_000
const FLUSH_AFTER = 5_000

export type LastUsed = {
  /** Records that a key was used now, with at most one write per key and minute. */
  note(hash: Buffer, key: Pick<CredentialRow, 'tenantId' | 'lastUsedAt'>): void
  flush(): Promise<void>
}

/** Collects last uses and writes them together, so that a request never waits for the date of its own key. */
export function openLastUsed({ db, clock, log }: Pick<House, 'db' | 'clock' | 'log'>): LastUsed {
  const waiting = new Map<string, { readonly tenantId: number; readonly at: Date }>()
  let timer: NodeJS.Timeout | undefined
  // Whoever flushes waits for what the timer began, too: afterwards nothing is under way.
  let writing: Promise<void> = Promise.resolve()

  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(write)
    return writing
  }

  const write = async () => {
    if (waiting.size === 0) return
    const used = [...waiting]
    waiting.clear()
    try {
      await db.run(touchKeys, {
        tenantIds: used.map(([, { tenantId }]) => tenantId),
        hashes: used.map(([hash]) => Buffer.from(hash, 'hex')),
        times: used.map(([, { at }]) => at),
      })
    } catch (error) {
      // A date that may be a minute old is not worth a retry, because the next use writes it again.
      log.warn(
        { ...(isUnavailable(error) ? { reason: error.message } : { error }), keys: used.length },
        'The last use of some keys could not be written. Their next use writes it again.',
      )
    }
  }

  return {
    note(hash, { tenantId, lastUsedAt }) {
      const now = clock.now()
      if (lastUsedAt !== null && now - lastUsedAt.getTime() < MINUTE) return
      waiting.set(hash.toString('hex'), { tenantId, at: new Date(now) })
      timer ??= setTimeout(() => void flush(), FLUSH_AFTER).unref()
    },
    flush,
  }
}
