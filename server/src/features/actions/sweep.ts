import type { House } from '../../ground/context/index.ts'
import { expireDue, recoverLapsed } from './sweep-queries.ts'

const BATCH = 200
const LOOK_FOR_LAPSED_MS = 5_000

/** Everything that is past its window, in batches that hold no lock for long. */
export async function expireAll({ db }: Pick<House, 'db'>): Promise<number> {
  let all = 0
  for (;;) {
    const expired = (await db.one(expireDue, [BATCH, 'sweep', null, null]))?.expired ?? 0
    all += expired
    if (expired < BATCH) return all
  }
}

/** What a dead process left executing becomes indeterminate: never pending again, because it may have been sent. */
export async function recoverAll({ db }: Pick<House, 'db'>): Promise<number> {
  let all = 0
  for (;;) {
    const recovered = (await db.one(recoverLapsed, [BATCH]))?.recovered ?? 0
    all += recovered
    if (recovered < BATCH) return all
  }
}

export type Sweeps = { close(): Promise<void> }

/** Runs both sweeps for as long as the process lives. Any number of processes may: each row is taken once. */
export function startSweeps(house: House): Sweeps {
  const stop = new AbortController()
  const every = async (ms: number, name: string, sweep: () => Promise<number>) => {
    while (!stop.signal.aborted) {
      try {
        const count = await sweep()
        if (count > 0) house.log.info({ sweep: name, count }, 'swept')
      } catch (error) {
        house.log.warn({ sweep: name, error }, 'A sweep failed; the next one tries again.')
      }
      await house.clock.wait(ms, stop.signal).catch(() => {})
    }
  }
  const running = [
    every(LOOK_FOR_LAPSED_MS, 'recover', () => recoverAll(house)),
    every(house.settings.ai.approvals.expirySweep.intervalSeconds * 1000, 'expire', () => expireAll(house)),
  ]
  return {
    async close() {
      stop.abort()
      await Promise.all(running)
    },
  }
}
