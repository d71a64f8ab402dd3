import type { Declaration, Hear } from '../../kernel/db/index.ts'
import type { House } from '../context/index.ts'
import { notify } from './queries.ts'

/** Announces work: at once to duties in this process, otherwise by a notification to other processes. */
export type Bell = {
  ring(channel: string): void
  /** Registers a duty of this process. The returned function ends that. */
  hear(channel: string, hear: () => void): () => void
  /** Takes a notification from another process. */
  readonly relay: Hear
}

// We send one notification for many changes, because the database makes all that notify wait in one line.
const together = 50

export function openBell({ db, log }: Pick<House, 'db' | 'log'>): Bell {
  const hearers = new Map<string, Set<() => void>>()
  const waiting = new Map<string, NodeJS.Timeout>()

  const tell = (channel: string): boolean => {
    const here = hearers.get(channel)
    for (const hear of here ?? []) hear()
    return here !== undefined && here.size > 0
  }
  // Never notify inside the transaction of the change, because such a commit holds a lock on the whole database while
  // it is written to disk. A lost notification only costs the time until the next poll.
  const send = (channel: string): void => {
    waiting.delete(channel)
    db.rows(notify, { channel }).catch((error: unknown) => log.debug({ channel, error }, 'A notification was lost.'))
  }
  return {
    ring(channel) {
      if (tell(channel) || waiting.has(channel) || db.engine === 'embedded') return
      waiting.set(channel, setTimeout(send, together, channel).unref())
    },
    hear(channel, hear) {
      const here = hearers.get(channel) ?? new Set()
      hearers.set(channel, here.add(hear))
      return () => void here.delete(hear)
    },
    relay: (channel) => void tell(channel),
  }
}

/** Wraps the database so that it rings the bells of each statement that has run, or when its transaction commits. */
export function ringing(db: House['db'], ring: (channel: string) => void): House['db'] {
  type Queries = Pick<House['db'], 'rows' | 'one' | 'run'>
  const after =
    (tell: (channel: string) => void) =>
    async <Result>({ wakes = [] }: Declaration, result: Promise<Result>): Promise<Result> => {
      const done = await result
      for (const channel of wakes) tell(channel)
      return done
    }
  const heard = (queries: Queries, told: ReturnType<typeof after>): Queries => ({
    rows: (statement, ...values) => told(statement, queries.rows(statement, ...values)),
    one: (statement, ...values) => told(statement, queries.one(statement, ...values)),
    run: (statement, ...values) => told(statement, queries.run(statement, ...values)),
  })
  const rung = after(ring)
  return {
    ...db,
    ...heard(db, rung),
    inLine: (line, statement, ...values) => rung(statement, db.inLine(line, statement, ...values)),
    async transaction(work, options) {
      const channels = new Set<string>()
      const result = await db.transaction(
        (tx) =>
          work({
            ...tx,
            ...heard(
              tx,
              after((channel) => channels.add(channel)),
            ),
          }),
        options,
      )
      for (const channel of channels) ring(channel)
      return result
    },
  }
}
