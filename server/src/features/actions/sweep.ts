import type { House } from '../../ground/context/index.ts'
import { expireDue, forgetTokens, giveUpVerifying, recoverLapsed, remindDue } from './sweep-queries.ts'

const BATCH = 200
const LOOK_FOR_LAPSED_MS = 5_000

type Sweep = ({ db }: Pick<House, 'db'>) => Promise<number>

/** In batches, so that no sweep holds many locks or for long. */
const inBatches =
  (sweep: (db: House['db']) => Promise<number | undefined>): Sweep =>
  async ({ db }) => {
    for (let all = 0; ; ) {
      const count = (await sweep(db)) ?? 0
      all += count
      if (count < BATCH) return all
    }
  }

/** Everything that is past its window. */
export const expireAll = inBatches(async (db) => (await db.one(expireDue, [BATCH, 'sweep', null, null]))?.expired)

/** What a dead process left executing becomes indeterminate: never pending again, because it may have been sent. */
const lapsed = inBatches(async (db) => (await db.one(recoverLapsed, [BATCH]))?.recovered)

const NOT_READ_BACK = 'The process that ran this ended before the effect was read back.'
const unread = inBatches(async (db) => (await db.one(giveUpVerifying, [BATCH, NOT_READ_BACK]))?.given)

/** What dead processes left behind. */
export const recoverAll: Sweep = async (house) => (await lapsed(house)) + (await unread(house))

/** Whoever asked to be reminded, at half the window. */
export const remindAll = inBatches(async (db) => (await db.one(remindDue, [BATCH]))?.reminded)

/** What confirmed an action that ended more than a day ago. */
export const forgetAll = inBatches(async (db) => (await db.one(forgetTokens, [BATCH]))?.forgotten)

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
  const interval = house.settings.ai.approvals.expirySweep.intervalSeconds * 1000
  const running = [
    every(LOOK_FOR_LAPSED_MS, 'recover', () => recoverAll(house)),
    every(interval, 'expire', () => expireAll(house)),
    every(interval, 'remind', () => remindAll(house)),
    every(interval, 'forget', () => forgetAll(house)),
  ]
  return {
    async close() {
      stop.abort()
      await Promise.all(running)
    },
  }
}
