import { isUnavailable } from '../../kernel/db/index.ts'
import { seldom } from '../../kernel/log/index.ts'
import type { House } from '../../tenancy/context/index.ts'
import { openTicker } from '../../tenancy/jobs/index.ts'
import { readAnswers, stillAwaited } from './queries.ts'

/** One request that somebody waits for in this process. */
export type OpenRequest = { readonly tenantId: number; readonly epoch: string; readonly number: number }

export type Answered =
  /** As it is sealed. */
  | { readonly kind: 'answered'; readonly answer: string }
  /** Its row is gone, and nobody knows any longer whether it was given to the listener. */
  | { readonly kind: 'lost' }

export type OpenRequests = {
  /** Waits for the answer, or until the signal ends it. */
  wait(request: OpenRequest, signal: AbortSignal): Promise<Answered | undefined>
  /** Its answer has come in this very process. */
  tell(request: OpenRequest, answer: string): void
  close(): Promise<void>
}

/** For so long a request is given to a listener after the process was last heard of that waits for its answer. */
export const AWAITED_SECONDS = 3
/** An answer that has come at another instance is found this late. */
const LOOK_MS = 100
const STILL_MS = 1_000
const AWAY_MS = 500
const COMPLAIN_EVERY_MS = 60_000

type Waiting = OpenRequest & { readonly resolve: (answered: Answered) => void }

const keyOf = ({ tenantId, epoch, number }: OpenRequest): string => `${tenantId} ${epoch} ${number}`

/** The requests of this process that are on a line: the answers to all of them are looked for in one statement. */
export function openOpenRequests({ db, log }: Pick<House, 'db' | 'log'>): OpenRequests {
  const all = new Map<string, Waiting>()
  const complain = seldom(log, COMPLAIN_EVERY_MS)
  let saidAt = 0

  async function lookFor(): Promise<void> {
    const asked = [...all.values()]
    const found = await db.rows(readAnswers, {
      tenantIds: asked.map(({ tenantId }) => tenantId),
      epochs: asked.map(({ epoch }) => epoch),
      numbers: asked.map(({ number }) => number),
    })
    for (const row of found) all.get(keyOf(row))?.resolve({ kind: 'answered', answer: row.answer })
    const now = performance.now()
    if (now - saidAt < STILL_MS) return
    const lines = Map.groupBy(all.values(), ({ tenantId, epoch }) => `${tenantId} ${epoch}`)
    for (const requests of lines.values()) await say(requests)
    saidAt = now
  }

  async function say(requests: readonly Waiting[]): Promise<void> {
    const [first] = requests
    if (first === undefined) return
    const { tenantId, epoch } = first
    const numbers = requests.map(({ number }) => number)
    const rows = await db.rows(stillAwaited, { tenantId, epoch, numbers, awaitedSeconds: AWAITED_SECONDS })
    const still = new Set(rows.map(({ number }) => number))
    for (const { number, resolve } of requests) if (!still.has(number)) resolve({ kind: 'lost' })
  }

  const ticker = openTicker(async () => {
    if (all.size === 0) return null
    try {
      await lookFor()
      return LOOK_MS
    } catch (error) {
      if (!isUnavailable(error)) complain({ error }, 'What listeners answer is not found.')
      return AWAY_MS
    }
  })

  return {
    async wait(request, signal) {
      if (signal.aborted) return undefined
      const { promise, resolve } = Promise.withResolvers<Answered | undefined>()
      const leave = () => resolve(undefined)
      all.set(keyOf(request), { ...request, resolve })
      signal.addEventListener('abort', leave, { once: true })
      ticker.wake(LOOK_MS)
      const answered = await promise
      all.delete(keyOf(request))
      signal.removeEventListener('abort', leave)
      return answered
    },
    tell(request, answer) {
      all.get(keyOf(request))?.resolve({ kind: 'answered', answer })
    },
    close: () => ticker.close(),
  }
}
