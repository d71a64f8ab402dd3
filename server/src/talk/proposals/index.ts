// What a conversation proposed and what became of it: told at its next turn, and at once where a window is open; taken back.
export { decisionsOn, newsOf, toldBy } from './decisions.ts'
export { proposalFor, tellProposal } from './proposal-for.ts'
export { type EarlierProposal, proposalsOf, type Told } from './proposals-of.ts'
export { mayTakeBack, takeBack, WITHDRAW } from './take-back.ts'
export { openWatches, type Watches } from './watches.ts'
export { type Withdrawal, type WithdrawInput, withdraw } from './withdraw.ts'
