// Giving a conversation to a person: the tool that a model calls for it, the event.
export { announceHandoff, HANDOFF, type HandoffToTell, handOver } from './hand-over.ts'
