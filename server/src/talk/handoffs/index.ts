// Giving a conversation to a person: the tool that a model calls for it, the event.
export { announceHandoff, type HandoffToTell } from './announce-handoff.ts'
export { HANDOFF, type HandedOver, handOver } from './hand-over.ts'
