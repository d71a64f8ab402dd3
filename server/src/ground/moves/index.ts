// Takes one tenant from one of several databases to another, while it is served.
export { dropCopy } from './copies.ts'
export { MoveStopped } from './faults.ts'
export { cancelMove, type Move, type Moved, moveTenant } from './move.ts'
export { whileNoneMoves } from './standstill.ts'
export { watchMoves } from './watch.ts'
