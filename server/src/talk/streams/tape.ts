import { setTimeout as pause } from 'node:timers/promises'
import { isId } from '../../kernel/ids/index.ts'
import type { House } from '../../tenancy/context/index.ts'
import type { Duty } from '../../tenancy/jobs/index.ts'
import { openFollower, SILENT_SECONDS } from './follower.ts'
import type { Frames } from './live.ts'
import { askOfTurn, findHead, forgetFrames, TO_STOP, TO_TELL_AT_ONCE } from './queries.ts'
import { openRecorder, type Turn } from './recorder.ts'
import { openHead } from './seal.ts'

/** Which turn somebody asks for. A turn belongs to its caller alone. */
export type Asked = { readonly tenantId: number; readonly requestId: string; readonly caller: string }

/** A turn as an instance finds it that does not run it. */
type Elsewhere = { readonly isKept: boolean; readonly isRunning: boolean }

/** What the turns of all instances have said, as far as each of them can know it. */
export type Tape = {
  /** Tells the other instances of a turn of this one. */
  record(turn: Turn): void
  /** Undefined if the caller has no such turn. */
  find(asked: Asked): Promise<Elsewhere | undefined>
  /** The frames of a turn that was found, as they come. Each reader leaves once. */
  join(asked: Asked): Promise<Frames>
  leave(asked: Asked): void
  askToStop(asked: Asked): Promise<void>
  /** Before a turn is joined that runs: what nobody reads elsewhere is told less often. */
  askToTell(asked: Asked): Promise<void>
  /** Writes what is not written yet. */
  close(): Promise<void>
}

/** On the embedded database, which has one instance. */
export const noTape: Tape = {
  record: () => undefined,
  find: async () => undefined,
  join: () => Promise.reject(new Error('There is no other instance to follow.')),
  leave: () => undefined,
  askToStop: async () => undefined,
  askToTell: async () => undefined,
  close: async () => undefined,
}

/** A part is used for so long and empty for twice that: nothing is forgotten while it can be read. */
const slotSecondsOf = ({ ai }: House['settings']): number => Math.ceil(ai.chat.turnSeconds + ai.chat.resumeSeconds)

/** A reader may be faster than the instance that has just begun its turn. */
const LOOKS_AFTER_MS = [0, 100, 200, 400, 800]

/** `quietMs`: for how long nothing is heard of a turn before it is given up; a test waits less. */
export function openTape(house: Pick<House, 'db' | 'keyring' | 'log' | 'settings'>, quietMs?: number): Tape {
  const { db, keyring, settings } = house
  const slotSeconds = slotSecondsOf(settings)
  const recorder = openRecorder({ ...house, slotSeconds })
  const follower = openFollower({ ...house, quietMs })

  async function headOf({ tenantId, requestId }: Asked) {
    if (!isId('req', requestId)) return undefined
    for (const waitMs of LOOKS_AFTER_MS) {
      await pause(waitMs)
      const row = await db.one(findHead, { tenantId, requestId })
      if (row !== undefined) return row
    }
    return undefined
  }

  const askFor =
    (n: number) =>
    async ({ tenantId, requestId }: Asked): Promise<void> => {
      await db.run(askOfTurn, { tenantId, requestId, n, slotSeconds })
    }

  return {
    record: recorder.record,
    async find(asked) {
      const row = await headOf(asked)
      if (row === undefined) return undefined
      const { silentSeconds, overSeconds } = row
      const head = openHead(keyring, asked, row.data)
      if (head?.caller !== asked.caller || (overSeconds ?? silentSeconds) > settings.ai.chat.resumeSeconds)
        return undefined
      return { isKept: head.isKept, isRunning: overSeconds === null && silentSeconds < SILENT_SECONDS }
    },
    join: ({ tenantId, requestId }) => follower.join(tenantId, requestId),
    leave: ({ requestId }) => follower.leave(requestId),
    askToStop: askFor(TO_STOP),
    askToTell: askFor(TO_TELL_AT_ONCE),
    async close() {
      await follower.close()
      await recorder.close()
    },
  }
}

const MINUTE = 60_000

/** Empties what can no longer be read. */
export const streamDuties = ({ db, settings }: House): readonly Duty[] => [
  {
    name: 'streams.forget',
    everyMs: MINUTE,
    async work() {
      await db.one(forgetFrames, { seconds: slotSecondsOf(settings) })
      return 0
    },
  },
]
