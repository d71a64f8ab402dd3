import type { EventName, TetherEvent } from './call.ts'
import { newHolder, type Performing } from './perform.ts'
import { IN_FLIGHT, later, type Reply } from './reply.ts'

export type EventTools = {
  readonly [Name in EventName | 'any']?: (event: TetherEvent) => unknown
}

export const EMPTY: Reply = { status: 204, body: '' }

/** The service gives up an event after about a minute, and one that was left must have been taken over by then. */
const LONGEST_LEASE_MS = 20_000

/**
 * An event arrives at least once, and one that you have taken is not given to you again. What fails is sent again by the service,
 * so a claim that was left may be taken over by anybody.
 */
export async function takeEvent(tools: EventTools, event: TetherEvent, performing: Performing): Promise<Reply> {
  // An event may be named like a member that every object has.
  const take = (Object.hasOwn(tools, event.event) ? tools[event.event] : undefined) ?? tools.any
  if (take === undefined) return EMPTY
  const { claims, leaseMs, failed } = performing
  const key = event.request_id
  const holder = newHolder()
  try {
    const claimed = await claims.claim(key, { holder, leaseMs: Math.min(leaseMs, LONGEST_LEASE_MS), takeOver: true })
    if (claimed === 'in_flight') return IN_FLIGHT
    if (typeof claimed === 'object') return claimed.answered
    await take(event)
    await claims.answer(key, holder, EMPTY)
    return EMPTY
  } catch (error) {
    failed(error)
    await claims.release(key, holder).catch(failed)
    return later('The event could not be taken. Send it again.')
  }
}
