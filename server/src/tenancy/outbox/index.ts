// The one way to announce an event to a tenant's server, and a write to those who may decide it. Both are written with the change;
// tenancy/events and writes/notices tell them.
export { type Announced, announced, NEW_EVENT_ID, NOTICE, NOTICES_BELL, noticed, OF_ACTION } from './announce.ts'

/** Rings after every statement that announces an event. */
export const EVENTS_BELL = 'events'
/** Why other rooms write `outbox`, by `announced`. */
export const EVENT = 'an event is written with the change that it announces'
