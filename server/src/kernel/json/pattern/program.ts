// Turns a tree into a program of states with at most two exits. A program that runs backwards comes from the same tree
// with its sequences reversed; with it, one pass decides a look-ahead for all positions of a text.
import { type CharSet, type Membership, membership, setOf } from './char-set.ts'
import { type Assertion, type Node, PatternFault } from './syntax.ts'

/**
 * One state. Every state has every field, even if unused, because states of one shape run several times faster. `count`
 * is `[a-z]{2,500}` as one state: while it runs, it remembers where each run of characters began.
 */
export type State = {
  op: 'set' | 'split' | 'assert' | 'look' | 'count' | 'accept'
  next: number
  /** The second exit of a split, or the number of a look-around. */
  other: number
  members: Membership
  test: Assertion
  negated: boolean
  min: number
  max: number
}

const nothing = membership(setOf())
const idle: State = { op: 'accept', next: 0, other: 0, members: nothing, test: 'start', negated: false, min: 0, max: 0 }

type Look = { entry: number; ahead: boolean }
export type Program = { states: State[]; entry: number; looks: Look[]; anchored: boolean }

/** A program under construction. A repeated group is built many times from the same sets, which are made ready once. */
type ProgramDraft = Program & { ready: Map<CharSet, Membership> }

/** A pattern has more states than this only if it repeats a long group many times. */
export const mostStates = 40_000

export function compilePattern(tree: Node): Program {
  if (statesOf(tree) > mostStates)
    throw new PatternFault('repeats a group too many times to be checked in bounded time. Lower the counts in braces')
  const draft: ProgramDraft = {
    states: [{ ...idle }],
    entry: 0,
    looks: [],
    anchored: startsAtStart(tree),
    ready: new Map(),
  }
  const entry = build(draft, tree, 0, true)
  return { states: draft.states, entry, looks: draft.looks, anchored: draft.anchored }
}

/** Counts a tree's states before any of them is made. */
export function statesOf(node: Node): number {
  switch (node.kind) {
    case 'set':
    case 'assert':
      return 1
    case 'sequence':
      return node.items.reduce((sum, item) => sum + statesOf(item), 0)
    case 'choice':
      return node.options.reduce((sum, option) => sum + statesOf(option) + 1, 0)
    case 'look':
      return statesOf(node.body) + 1
    case 'repeat':
      if (isCounted(node)) return 1
      return (statesOf(node.body) + 1) * Math.max(1, node.max === Number.POSITIVE_INFINITY ? node.min + 1 : node.max)
  }
}

type Repeat = Extract<Node, { kind: 'repeat' }>

const isCounted = (node: Repeat): node is Repeat & { body: { kind: 'set'; set: CharSet } } =>
  node.body.kind === 'set' && (node.min > 4 || (node.max > 4 && node.max !== Number.POSITIVE_INFINITY))

const startsAtStart = (node: Node): boolean =>
  (node.kind === 'assert' && node.test === 'start') ||
  (node.kind === 'sequence' && node.items[0] !== undefined && startsAtStart(node.items[0])) ||
  (node.kind === 'choice' && node.options.every(startsAtStart))

function add(draft: ProgramDraft, state: Partial<State>): number {
  return draft.states.push({ ...idle, ...state }) - 1
}

function ready(draft: ProgramDraft, set: CharSet): Membership {
  const found = draft.ready.get(set) ?? membership(set)
  draft.ready.set(set, found)
  return found
}

/** Builds `node` so that it continues at `next`, and returns its entry. */
function build(draft: ProgramDraft, node: Node, next: number, forward: boolean): number {
  switch (node.kind) {
    case 'set':
      return add(draft, { op: 'set', members: ready(draft, node.set), next })
    case 'assert':
      return add(draft, { op: 'assert', test: node.test, next })
    case 'sequence':
      return (forward ? node.items.toReversed() : node.items).reduce(
        (after, item) => build(draft, item, after, forward),
        next,
      )
    case 'choice':
      return node.options
        .map((option) => build(draft, option, next, forward))
        .reduce((first, second) => add(draft, { op: 'split', next: first, other: second }))
    case 'look':
      return buildLook(draft, node, next)
    case 'repeat':
      return buildRepeat(draft, node, next, forward)
  }
}

function buildLook(draft: ProgramDraft, node: Extract<Node, { kind: 'look' }>, next: number): number {
  // Inner look-arounds come first in the list, so that each is decided before the one that contains it.
  const entry = build(draft, node.body, 0, !node.ahead)
  const look = draft.looks.push({ entry, ahead: node.ahead }) - 1
  return add(draft, { op: 'look', other: look, negated: node.negated, next })
}

function buildRepeat(draft: ProgramDraft, node: Repeat, next: number, forward: boolean): number {
  const { min, max, body } = node
  if (isCounted(node)) return add(draft, { op: 'count', members: ready(draft, node.body.set), min, max, next })
  let entry = next
  if (max === Number.POSITIVE_INFINITY) {
    entry = add(draft, { op: 'split', other: next })
    const loop = draft.states[entry]
    const again = build(draft, body, entry, forward)
    if (loop) loop.next = again
  } else {
    for (let copy = min; copy < max; copy++) {
      entry = add(draft, { op: 'split', next: build(draft, body, entry, forward), other: next })
    }
  }
  for (let copy = 0; copy < min; copy++) entry = build(draft, body, entry, forward)
  return entry
}
