// The one way to announce an event to a tenant's server, and a write to those who may decide it. Both are written with the change;
// features/events and features/notices tell them.
export { type Announced, announced, NEW_EVENT_ID, OF_ACTION } from './announce.ts'
export { NOTICES_BELL, NOTICES_BELLS, noticed } from './notice.ts'

/** Rings after every statement that announces an event. */
export const EVENTS_BELL = 'events'
export const ANNOUNCES = 'insert into outbox'
