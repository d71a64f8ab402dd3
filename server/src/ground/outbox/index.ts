// The one way to announce an event to a tenant's server. It is written with the change, and features/events sends it.
export { type Announced, announced, NEW_EVENT_ID, OF_ACTION } from './announce.ts'

/** Rings after every statement that announces an event. */
export const EVENTS_BELL = 'events'
export const ANNOUNCES = 'insert into outbox'
