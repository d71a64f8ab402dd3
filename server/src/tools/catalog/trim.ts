// Trims a read's result before the model sees it, and says what was left out: a model that is shown ten of two hundred
// orders without a word would answer as if there were ten.
import {
  BudgetSpent,
  cut,
  isObject,
  type Json,
  type JsonObject,
  member,
  setMember,
  spend,
  type WorkBudget,
} from '../../kernel/json/index.ts'
import { once } from '../../kernel/memo/index.ts'
import { isIndex } from './dot-path.ts'
import type { ResultTrim } from './result-trim.ts'

/** `notice` is a sentence for the model; null when nothing was left out. */
type Trimmed = { value: Json; notice: string | null }

export function trimResult(value: Json, trim: ResultTrim): Trimmed {
  const left: LeftOut = { members: new Set(), lists: new Map(), missing: missingOf(value, trim.pick ?? []) }
  const root: Place = { name: '', outer: null, inner: null }
  const picked = trim.pick ? pick(value, branchOf(treeOf(trim.pick)), left, root) : value
  const shown = trim.maxItems === null ? picked : cutLists(picked, trim.maxItems, left, root)
  return { value: shown, notice: noticeOf(left) }
}

/** Where something stands in the result: the same for all items of a list. Its path is written when it is shown, as most are not. */
type Place = { readonly name: string; readonly outer: Place | null; inner: Map<string, Place> | null }

function placeIn(outer: Place, name: string): Place {
  outer.inner ??= new Map()
  const known = outer.inner.get(name)
  if (known !== undefined) return known
  const place = { name, outer, inner: null }
  outer.inner.set(name, place)
  return place
}

type LeftOut = {
  /** Members and items that were not picked. */
  members: Set<Place>
  /** Each list that was cut, with how many items it had and has. */
  lists: Map<Place, { had: number; has: number }>
  /** Picked paths that the result does not have. */
  missing: string[]
}

/** The picked paths as one tree; an empty branch takes everything below it. */
type Tree = Map<string, Tree>

function treeOf(paths: readonly string[][]): Tree {
  const root: Tree = new Map()
  const whole = new Set<Tree>()
  for (const path of paths) {
    let here = root
    for (const step of path) {
      if (whole.has(here)) break
      const next = here.get(step) ?? new Map()
      here.set(step, next)
      here = next
    }
    // A shorter path takes all that longer ones took parts of.
    here.clear()
    whole.add(here)
  }
  return root
}

/** A tree as a value is held against it, again and again: what it takes of an item is found out once for each index. */
type Branch = {
  readonly tree: Tree
  readonly members: ReadonlyMap<string, () => Branch>
  readonly items: ReadonlyMap<string, () => Branch>
  /** What it takes of the items that no number picks. */
  readonly everywhere: () => Branch | null
}

function branchOf(tree: Tree): Branch {
  const everywhere: Tree = new Map([...tree].filter(([step]) => !isIndex(step)))
  const items = [...tree].filter(([step]) => isIndex(step))
  return {
    tree,
    members: new Map([...tree].map(([name, inner]) => [name, once(() => branchOf(inner))])),
    items: new Map(
      items.map(([index, own]) => [index, once(() => branchOf(everywhere.size > 0 ? union(own, everywhere) : own))]),
    ),
    everywhere: once(() => (everywhere.size > 0 ? branchOf(everywhere) : null)),
  }
}

function pick(value: Json, branch: Branch, left: LeftOut, at: Place): Json {
  if (branch.tree.size === 0) return value
  if (Array.isArray(value)) return pickItems(value, branch, left, at)
  return isObject(value) ? pickMembers(value, branch, left, at) : value
}

function pickMembers(value: JsonObject, { members }: Branch, left: LeftOut, at: Place): Json {
  const kept: [string, Json][] = []
  for (const [name, inner] of Object.entries(value)) {
    const branch = members.get(name)
    if (branch) kept.push([name, pick(inner, branch(), left, placeIn(at, name))])
    else left.members.add(placeIn(at, name))
  }
  return Object.fromEntries(kept)
}

/** A number picks one item; a name is looked for in every item. */
function pickItems(value: Json[], { items, everywhere }: Branch, left: LeftOut, at: Place): Json {
  const others = everywhere()
  const kept: Json[] = []
  let unmet = items.size
  for (const [index, item] of value.entries()) {
    const numbered = unmet > 0 ? items.get(String(index)) : undefined
    if (numbered !== undefined) unmet--
    const own = numbered?.() ?? others
    if (own !== null) kept.push(pick(item, own, left, at))
  }
  if (kept.length < value.length) left.lists.set(at, { had: value.length, has: kept.length })
  return kept
}

/** An empty tree takes everything, so it swallows the other. */
function union(a: Tree, b: Tree): Tree {
  if (a.size === 0 || b.size === 0) return new Map()
  const both = new Map(a)
  for (const [step, branch] of b) {
    const other = both.get(step)
    both.set(step, other ? union(other, branch) : branch)
  }
  return both
}

/** Looking for a hundred paths in a hundred thousand items is more than the notice is worth: then nothing is said of them. */
const mostLooked = 1_000_000

function missingOf(value: Json, paths: readonly (readonly string[])[]): string[] {
  const budget = { left: mostLooked }
  try {
    return paths.filter((path) => !reaches(value, path, 0, budget)).map((path) => path.join('.'))
  } catch (error) {
    if (error instanceof BudgetSpent) return []
    throw error
  }
}

/** Whether a path leads to something: by name through lists, in any of their items. */
function reaches(value: Json, path: readonly string[], from: number, budget: WorkBudget): boolean {
  spend(budget, 1)
  const step = path[from]
  if (step === undefined) return true
  if (Array.isArray(value)) {
    if (!isIndex(step)) return value.length === 0 || value.some((item) => reaches(item, path, from, budget))
    const at = value[Number(step)]
    return at !== undefined && reaches(at, path, from + 1, budget)
  }
  const inner = isObject(value) ? member(value, step) : undefined
  return inner !== undefined && reaches(inner, path, from + 1, budget)
}

/** What needs no cut stays the same value: a copy of a large answer costs more than looking at it. */
function cutLists(value: Json, most: number, left: LeftOut, at: Place): Json {
  if (Array.isArray(value)) {
    if (value.length > most) noteCut(left, at, value.length, most)
    const first = value.length > most ? value.slice(0, most) : value
    const items = first.map((item) => cutLists(item, most, left, at))
    return items.every((item, index) => item === value[index]) ? first : items
  }
  if (!isObject(value)) return value
  let shown = value
  for (const name of Object.keys(value)) {
    const inner = member(value, name) ?? null
    if (typeof inner !== 'object' || inner === null) continue
    const cutInner = cutLists(inner, most, left, placeIn(at, name))
    if (cutInner === inner) continue
    if (shown === value) shown = { ...value }
    setMember(shown, name, cutInner)
  }
  return shown
}

/** Lists inside the items of a list share a place: the longest speaks for them. */
function noteCut(left: LeftOut, at: Place, had: number, has: number): void {
  const before = left.lists.get(at)
  if (!before || before.had < had) left.lists.set(at, { had, has })
}

/** Of a long one the beginning. */
function pathOf(place: Place): string {
  const names: string[] = []
  for (let here = place; here.outer !== null; here = here.outer) names.push(cut(here.name, longestName))
  return cut(names.reverse().join('.'), longestPath)
}
const longestName = 100
const longestPath = 300

function noticeOf({ members, lists, missing }: LeftOut): string | null {
  const parts: string[] = []
  if (lists.size > 0)
    parts.push(
      firstOf([...lists], ([at, { had, has }]) => {
        const list = at.outer === null ? 'the list' : `\`${pathOf(at)}\``
        return `${list} shows ${has} of ${had} items`
      }),
    )
  if (members.size > 0) parts.push(`not shown: ${firstOf([...members], (at) => `\`${pathOf(at)}\``)}`)
  if (missing.length > 0) parts.push(`not in the result: ${firstOf(missing, (path) => `\`${path}\``)}`)
  return parts.length === 0 ? null : `This result was shortened: ${parts.join('; ')}.`
}

const mostNamed = 10
function firstOf<Item>(items: readonly Item[], show: (item: Item) => string): string {
  const rest = items.length - mostNamed
  const first = items.slice(0, mostNamed).map(show).join(', ')
  return rest > 0 ? `${first} and ${rest} more` : first
}
