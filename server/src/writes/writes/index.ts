// What a write is before anybody decides it: its words, its worth, the hash of what would run, whether it may run at all, and
// what an approver must acknowledge.

export { type Change, changeSince, isAsStaged, movedAfterSending, WHY_CHANGED } from './change.ts'
export { mustAcknowledge, strictest } from './guardrails.ts'
export {
  HASH_VERSION,
  reversesText,
  shownName,
  summaryOf,
  titleOf,
  type WrittenDown,
  writtenDown,
} from './payload.ts'
export { type Prohibition, readable, ruleList } from './prohibition.ts'
