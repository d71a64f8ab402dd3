// Giving a conversation to a person: the tool that a model calls for it, the event, and whether anybody has taken that.
export { announceHandoff, type HandoffToTell } from './announce-handoff.ts'
export { HANDOFF, type HandedOver, handOver } from './hand-over.ts'
export type { Receipt } from './receipt.ts'
