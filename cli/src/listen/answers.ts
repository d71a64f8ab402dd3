// What this machine answered, on its way back to the service: several in one request, kept until the service has them.
import type { Client } from '../../../sdk/src/index.ts'
import { openPace } from '../pace.ts'
import { pause } from '../pause.ts'
import type { Answered } from './forward.ts'
import { passes, pauseAfter } from './outage.ts'

const MOST_AT_ONCE = 50
const MOST_CHARACTERS_AT_ONCE = 400_000

type Parts = {
  readonly service: Client
  readonly listener: string
  /** Which start of the service is listened to. */
  readonly epochNow: () => string | null
}

type Kept = { readonly epoch: string; readonly answer: Answered }

export function openAnswers({ service, listener, epochNow }: Parts) {
  const may = openPace({ perSecond: 3, atOnce: 20 })
  let kept: Kept[] = []
  let sending: Promise<void> | undefined

  async function sendAll(): Promise<void> {
    for (let failures = 0; kept.length > 0; ) {
      const epoch = epochNow()
      // Those of an earlier start of the service: whoever waited for them is gone, and sends again.
      kept = kept.filter((one) => one.epoch === epoch)
      const batch = firstOf(kept)
      if (batch.length === 0 || epoch === null) return
      await may()
      try {
        const answers = batch.map(({ answer }) => answer)
        await service.request('POST /v1/listening/answers', { body: { listener, epoch, answers } })
        kept = kept.filter((one) => !batch.includes(one))
        failures = 0
      } catch (error) {
        if (!passes(error)) throw error
        await pause(pauseAfter(failures++))
      }
    }
  }

  return {
    add(epoch: string, answer: Answered): void {
      kept.push({ epoch, answer })
      sending ??= sendAll().finally(() => {
        sending = undefined
      })
      // The next look of the line meets the same refusal, and says it.
      sending.catch(() => {})
    },
    async sent(): Promise<void> {
      await sending?.catch(() => {})
    },
  }
}

/** As many as one request holds. */
function firstOf(kept: readonly Kept[]): Kept[] {
  let characters = 0
  return kept.slice(0, MOST_AT_ONCE).filter(({ answer }, at) => {
    characters += (answer.body ?? '').length
    return at === 0 || characters <= MOST_CHARACTERS_AT_ONCE
  })
}
