// The specification of staged writes as a program that one can read in one sitting: no database, no network, no clock.
// A verb is a generator that stops at every moment between two of its steps, so that anything may happen in between.

import { type Book, type Heard, isPaidBack, newBook, type Weather, write } from './shop.ts'
import { ADDRESSES, type Address, type Confirm, type Flavour, type Point, type Said, type Who } from './words.ts'

export type Action = {
  state: string
  attempts: number
  late: boolean
  claim: number | null
  /** Which reconcile asks now, and whether it is believed to. */
  asker: number | null
  askerLapsed: boolean
  confirmedBy: number | null
  code: string | null
  verification: string | null
  /** By person: whether a running claim has overtaken this yes, and whether the trail says so already. */
  readonly approvals: Map<number, { overtaken: boolean; superseded: boolean }>
  readonly trail: string[]
  readonly book: Book
  /** Where the endpoint was when it was staged, which is what its approvers see. */
  readonly stagedFor: Address
  readonly sentTo: Set<Address>
}
export type World = {
  readonly flavour: Flavour
  readonly actions: Action[]
  readonly keys: Map<string, Action>
  claims: number
  /** Where the endpoint is. A verb knows where it was when it began. */
  address: Address
  /** Of the writes to come, one each; fine afterwards. */
  weathers: Weather[]
  readsFail: boolean
}
export type Process = Generator<Point, Said>

const MOST_ATTEMPTS = 3
const EXECUTED: Said = ['Executed', null]
const EXPIRED: Said = ['Expired', 'action_expired']
const REJECTED: Said = ['Rejected', 'action_rejected']
const NOT_FOUND: Said = ['NotFound', 'PENDING_ACTION_NOT_FOUND']
const IN_PROGRESS: Said = ['Conflict', 'ACTION_ALREADY_IN_PROGRESS']
const NOT_INDETERMINATE: Said = ['Conflict', 'ACTION_NOT_INDETERMINATE']
const KEY_REUSED: Said = ['Conflict', 'IDEMPOTENCY_KEY_REUSED']
const UNKNOWN: Said = ['ApproverUnknown', 'approver_unknown']
const MOVED: Said = ['Conflict', 'CONFLICT']
const ELSEWHERE: Said = ['GuardForbidden', 'FORBIDDEN']
const INDETERMINATE: Said = ['Indeterminate', 'EXECUTION_INDETERMINATE']

export const newWorld = (flavour: Flavour): World => ({
  flavour,
  actions: [],
  keys: new Map(),
  claims: 0,
  address: ADDRESSES[0],
  weathers: [],
  readsFail: false,
})

export const stage = ({ actions, address }: World): number =>
  actions.push({
    state: 'pending',
    attempts: 0,
    late: false,
    claim: null,
    asker: null,
    askerLapsed: false,
    confirmedBy: null,
    code: null,
    verification: null,
    approvals: new Map(),
    trail: ['proposed 0'],
    book: newBook(),
    stagedFor: address,
    sentTo: new Set(),
  })

/** Asked afresh: other steps happened since a process last looked. */
const is = ({ state }: Action, wanted: string): boolean => state === wanted
/** Whether the endpoint has moved since a verb began that found it here. */
const hasMoved = (world: World, address: Address): boolean => world.address !== address
const userOf = (who: Who): number => (typeof who === 'number' ? who : 0)

export function* confirm(world: World, action: Action, { who, acknowledges, key }: Confirm): Process {
  const { tool, approvers } = world.flavour
  const { address } = world
  const user = userOf(who)
  const ownKey = `${user} ${key}`
  const owner = key === null ? undefined : world.keys.get(ownKey)
  if (owner !== undefined && owner !== action) return KEY_REUSED
  if (owner === action && action.state === 'executed') {
    action.trail.push(`replayed ${user}`)
    return ['Replayed', null]
  }
  yield 'asked'
  const closed = whyClosed(action)
  if (closed !== null) return closed
  const wasExecuting = action.state === 'executing'
  yield 'read'
  if (approvers === 0 ? who === 'nobody' : user === 0) return UNKNOWN
  if (approvers > 0 && who === 3) return ['ApprovalForbidden', 'approver_forbidden']
  if (address !== action.stagedFor) return ELSEWHERE
  if (tool === 'risky' && !acknowledges) return ['GuardRejected', 'AI_ACTION_REQUIRES_CONFIRMATION']
  approve(action, user)
  yield 'approved'
  if (wasExecuting) return IN_PROGRESS
  const received = new Set([...action.approvals.keys(), user]).size
  if (received < approvers) return ['AwaitingApprovers', 'awaiting_approvers', received]
  if (tool === 'checked') {
    if (world.readsFail) {
      action.trail.push(`precondition_error ${user}`)
      return ['PreconditionError', 'precondition_error']
    }
    if (isPaidBack(action.book)) {
      if (action.state !== 'pending' || action.late || hasMoved(world, address))
        return yield* lost(world, action, { user, address })
      end(action, 'precondition_failed', user)
      return ['PreconditionFailed', 'precondition_failed']
    }
  }
  if (key !== null && (world.keys.get(ownKey) ?? action) !== action) return KEY_REUSED
  if (key !== null) world.keys.set(ownKey, action)
  yield 'before_claim'
  if (action.state !== 'pending' || action.late || hasMoved(world, address))
    return yield* lost(world, action, { user, address })
  const claim = ++world.claims
  Object.assign(action, { state: 'executing', attempts: action.attempts + 1, claim, confirmedBy: user })
  yield 'after_claim'
  return yield* execute(world, action, { claim, asker: null, user, address })
}

/** One asks at a time, until it is not believed in any more. */
export function* reconcile(world: World, action: Action, who: Who): Process {
  const { claim } = action
  const { address } = world
  if (action.state !== 'indeterminate') return NOT_INDETERMINATE
  if (address !== action.stagedFor) return MOVED
  yield 'before_claim'
  if (!is(action, 'indeterminate')) return NOT_INDETERMINATE
  if (hasMoved(world, address)) return MOVED
  if (action.asker !== null && !action.askerLapsed) return IN_PROGRESS
  const asker = ++world.claims
  Object.assign(action, { asker, askerLapsed: false })
  yield 'after_claim'
  const said = yield* execute(world, action, { claim, asker, user: userOf(who), address })
  return is(action, 'executed') ? EXECUTED : said
}

export function reject(world: World, action: Action, who: Who): Said {
  const user = userOf(who)
  if (world.flavour.approvers > 0 && user === 0) return UNKNOWN
  if (action.state === 'pending' && !action.late) end(action, 'rejected', user)
  if (action.state === 'executing') return IN_PROGRESS
  return whyClosed(action) ?? NOT_FOUND
}

/** The sweep of what is past its window. */
export const expire = ({ actions }: World): void => actions.forEach(whyClosed)

/** Whoever executes it, or reads it back, is not believed in any more, and the sweep came by. */
export function recover({ flavour }: World, action: Action): void {
  if (action.state === 'executing') action.state = 'indeterminate'
  action.askerLapsed = true
  if (action.state === 'executed' && flavour.tool === 'checked') readBack(action, 'unverified')
}

type Sender = {
  readonly claim: number | null
  readonly asker: number | null
  readonly user: number
  readonly address: Address
}

function* execute(world: World, action: Action, sender: Sender): Process {
  yield 'before_send'
  action.sentTo.add(sender.address)
  const heard = write(action.book, world.weathers.shift() ?? 'fine')
  yield 'before_outcome'
  const said = settle(action, sender, heard)
  yield 'after_outcome'
  if (said === EXECUTED) verify(world, action)
  yield 'after_verify'
  return said
}

/**
 * An outcome belongs to its claim: when another one settled that claim, what stands is said. A no counts from whoever asked
 * last: somebody who asks after them may be performing it.
 */
function settle(action: Action, { claim, asker, user }: Sender, heard: Heard): Said {
  if (action.claim !== claim) return standing(action)
  if (heard === 'yes') end(action, 'executed', user)
  else if (heard === 'no') {
    if (action.asker === asker) end(action, 'failed', user, 'VALIDATION_ERROR')
  } else if (heard === 'later' && action.state === 'executing') {
    if (action.attempts >= MOST_ATTEMPTS) end(action, 'failed', user, 'EXECUTION_ATTEMPTS_EXHAUSTED')
    else return release(action)
  } else {
    action.state = 'indeterminate'
    if (action.asker === asker) action.asker = null
  }
  return standing(action)
}

function standing({ state, code }: Action): Said {
  if (state === 'executed') return EXECUTED
  return state === 'failed' ? ['FailedTerminal', code] : INDETERMINATE
}

function release(action: Action): Said {
  Object.assign(action, { state: 'pending', claim: null })
  for (const approval of action.approvals.values()) approval.overtaken = false
  return ['FailedRetryable', 'EXECUTION_FAILED_RETRYABLE']
}

function end(action: Action, state: string, user: number, code: string | null = null): void {
  Object.assign(action, { state, code, claim: null, asker: null })
  action.trail.push(`${state} ${user}`)
  for (const [overtaken, approval] of action.approvals) if (approval.overtaken) supersede(action, overtaken)
}

function whyClosed(action: Action): Said | null {
  if (action.state === 'pending' && action.late) end(action, 'expired', 0)
  if (action.state === 'pending' || action.state === 'executing') return null
  if (action.state === 'expired') return EXPIRED
  return action.state === 'rejected' ? REJECTED : NOT_FOUND
}

function approve(action: Action, user: number): void {
  const isOpen = action.state === 'executing' || (action.state === 'pending' && !action.late)
  if (!isOpen || action.approvals.has(user)) return
  action.approvals.set(user, { overtaken: action.state === 'executing', superseded: false })
  action.trail.push(`approved ${user}`)
}

type Loser = Pick<Sender, 'user' | 'address'>

/**
 * Another person's confirm had claimed the action: the yes of whoever lost is superseded, once, when that claim has its end.
 * What was rejected, expired or broken nobody had claimed.
 */
function* lost(world: World, action: Action, { user, address }: Loser): Process {
  const approval = action.approvals.get(user)
  if (approval !== undefined && action.confirmedBy !== user) {
    if (action.state === 'executing' || action.state === 'indeterminate') approval.overtaken = true
    else if (is(action, 'executed') || is(action, 'failed')) supersede(action, user)
  }
  yield 'marked'
  if (is(action, 'executed')) return IN_PROGRESS
  return whyClosed(action) ?? (is(action, 'pending') && hasMoved(world, address) ? MOVED : IN_PROGRESS)
}

function supersede({ approvals, trail }: Action, user: number): void {
  const approval = approvals.get(user)
  if (approval === undefined || approval.superseded) return
  approval.superseded = true
  trail.push(`superseded ${user}`)
}

function verify({ flavour, readsFail }: World, action: Action): void {
  if (flavour.tool === 'checked') readBack(action, !readsFail && isPaidBack(action.book) ? 'verified' : 'unverified')
}

function readBack(action: Action, found: string): void {
  if (action.verification !== null) return
  action.verification = found
  action.trail.push(`${found} 0`)
}
