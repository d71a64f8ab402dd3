// The line to the service: asks for what waits, hands it on, and brings back the answers. It outlives the service's restarts.
import { randomUUID } from 'node:crypto'
import type { Client } from '../../../sdk/src/index.ts'
import { openPace } from '../pace.ts'
import { pause } from '../pause.ts'
import { openAnswers } from './answers.ts'
import type { Answered, Delivered } from './forward.ts'
import { passes, pauseAfter } from './outage.ts'

const WAIT_SECONDS = 20
const FINISH_MS = 5_000

type Parts = {
  readonly service: Client
  readonly stopping: AbortSignal
  readonly handle: (delivered: Delivered) => Promise<Answered>
  /** Each time that the service has answered after it did not, and the first time. */
  readonly connected: () => void
  readonly lost: () => void
}

export type HowItEnded = 'stopped' | 'displaced'

/** Runs until it is stopped, or until another listener takes over. Throws what the service refuses. */
export async function listenOnLine({ service, stopping, handle, connected, lost }: Parts): Promise<HowItEnded> {
  const listener = randomUUID()
  // A key may ask 600 times a minute, and answers and what was missed are sent beside it.
  const may = openPace({ perSecond: 3, atOnce: 20 })
  const inHand = new Set<Promise<void>>()
  let epoch: string | null = null
  let received = 0
  const answers = openAnswers({ service, listener, epochNow: () => epoch })

  function take(from: string, requests: readonly Delivered[]): void {
    for (const request of requests) {
      received = Math.max(received, request.number)
      const handled = handle(request).then((answer) => answers.add(from, answer))
      inHand.add(handled)
      void handled.finally(() => inHand.delete(handled))
    }
  }

  async function ask(isLost: boolean): Promise<boolean> {
    const waitSeconds = isLost || epoch === null ? 0 : WAIT_SECONDS
    const body = { listener, epoch, received, waitSeconds }
    const said = await service.request('POST /v1/listening/requests', { body, signal: stopping })
    if (said.epoch !== epoch) received = 0
    epoch = said.epoch
    if (!said.displaced) take(said.epoch, said.requests)
    return said.displaced
  }

  let isLost = true
  for (let failures = 0; !stopping.aborted; ) {
    await may()
    try {
      if (await ask(isLost)) return 'displaced'
      if (isLost) connected()
      isLost = false
      failures = 0
    } catch (error) {
      if (stopping.aborted) break
      if (!passes(error)) throw error
      if (!isLost) lost()
      isLost = true
      await pause(pauseAfter(failures++), stopping)
    }
  }
  const all = async () => {
    await Promise.allSettled([...inHand])
    await answers.sent()
  }
  await Promise.race([all(), pause(FINISH_MS)])
  return 'stopped'
}
