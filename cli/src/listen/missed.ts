import { type Client, TetherError } from '../../../sdk/src/index.ts'
import { openPace } from '../pace.ts'

const MOST_LOOKED_AT = 10_000

/** The events that were given up while nobody listened here, oldest first. */
export async function missedEvents(service: Client, address: string): Promise<string[]> {
  const newest = new Map<string, boolean>()
  let looked = 0
  for await (const { eventId, url, delivered, retryAt, event } of service.deliveries({ limit: 200 })) {
    if (++looked > MOST_LOOKED_AT) break
    // The first that is seen of an event is its newest attempt.
    if (newest.has(eventId)) continue
    newest.set(eventId, url === address && !delivered && retryAt === null && event !== 'test.ping')
  }
  return [...newest].flatMap(([eventId, isMissed]) => (isMissed ? [eventId] : [])).reverse()
}

export async function sendAgain(
  service: Client,
  eventIds: readonly string[],
  { stopping, told }: { readonly stopping: AbortSignal; readonly told: (sent: number) => void },
): Promise<void> {
  const may = openPace({ perSecond: 4, atOnce: 20 })
  for (const [at, eventId] of eventIds.entries()) {
    if (stopping.aborted) return
    await may()
    try {
      await service.request('POST /v1/events/{eventId}/redeliver', { params: { eventId } })
    } catch (error) {
      // It has been sent again by somebody else, or is no longer kept.
      if (!(error instanceof TetherError) || error.code !== 'event_not_found') throw error
    }
    told(at + 1)
  }
}
