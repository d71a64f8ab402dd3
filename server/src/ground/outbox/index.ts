// The one way to tell a tenant's server something: written with the change, sent after it by features/events.
export { type Announced, announced, NEW_EVENT_ID, OF_ACTION } from './announce.ts'

/** Rung after every statement that announces. */
export const EVENTS_BELL = 'events'
export const ANNOUNCES = 'insert into outbox'
