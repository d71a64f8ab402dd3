// What a conversation proposed and what became of it: at its next turn, and at once where a window is open.
export { decisionsOn, newsOf } from './decisions.ts'
export { type EarlierProposal, proposalsOf } from './proposals-of.ts'
export { openWatches, type Watches } from './watches.ts'
