import type { Service } from '../rig/running-service.ts'
import type { Manner } from './manners.ts'
import type { Shop } from './shop.ts'

export type Called = {
  readonly manner: Manner
  /** Of the answer's body; the HTTP status where that is another than 200. */
  readonly status: string
  /** As the service measured it: what the driver waits for its own turn is not in it. */
  readonly durationMs: number
  readonly text: string
}

export type CalledAll = {
  readonly called: readonly Called[]
  /** The memory of the service, as often as it was looked at. */
  readonly resident: readonly number[]
}

const lookEvery = 50

// At the same time, of one shop. Those that time out need most of the time and little of anything else.
const inFlight = ({ read }: Manner): number => (read === 'timeout' ? 24 : 4)

/** Calls every shop as often as every other, all of them at the same time. */
export async function callAll(service: Service, shops: readonly Shop[], calls: number): Promise<CalledAll> {
  const called: Called[] = []
  const resident: number[] = []
  const each = Math.ceil(calls / shops.length)

  async function callOne({ manner, apiKey }: Shop): Promise<void> {
    const answer = await service.ask('POST', '/v1/tools/read_it/call', { key: apiKey, body: {} })
    const { status, durationMs } = (answer.body ?? {}) as { status?: string; durationMs?: number }
    called.push({
      manner,
      status: answer.status === 200 && status !== undefined ? status : `HTTP ${answer.status}`,
      durationMs: durationMs ?? Number.NaN,
      // The driver's memory is not the one under proof, and yet.
      text: answer.text.slice(0, 200),
    })
    if (called.length % lookEvery === 0) resident.push(service.residentBytes())
  }

  const lines = shops.flatMap((shop) => {
    let left = each
    return Array.from({ length: inFlight(shop.manner) }, async () => {
      while (left-- > 0) await callOne(shop)
    })
  })
  await Promise.all(lines)
  return { called, resident }
}
