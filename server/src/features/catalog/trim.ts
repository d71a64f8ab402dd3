// Trims a read's result before the model sees it, and says what was left out: a model that is shown ten of two hundred
// orders without a word would answer as if there were ten.
import {
  BudgetSpent,
  cut,
  isObject,
  type Json,
  type JsonObject,
  listed,
  member,
  spend,
  type WorkBudget,
} from '../../foundation/json/index.ts'
import { isIndex } from './dot-path.ts'
import type { ResultTrim } from './result-trim.ts'

/** `notice` is a sentence for the model; null when nothing was left out. */
export type Trimmed = { value: Json; notice: string | null }

export function trimResult(value: Json, trim: ResultTrim): Trimmed {
  const left: LeftOut = { members: new Set(), lists: new Map(), missing: missingOf(value, trim.pick ?? []) }
  const picked = trim.pick ? pick(value, branchOf(treeOf(trim.pick)), left, '') : value
  const shown = trim.maxItems === null ? picked : cutLists(picked, trim.maxItems, left, '')
  return { value: shown, notice: noticeOf(left) }
}

type LeftOut = {
  /** Paths of members and items that were not picked. */
  members: Set<string>
  /** Path of each list that was cut, with how many items it had and has. */
  lists: Map<string, { had: number; has: number }>
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

function once<Made>(make: () => Made): () => Made {
  let made: { value: Made } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function pick(value: Json, branch: Branch, left: LeftOut, path: string): Json {
  if (branch.tree.size === 0) return value
  if (Array.isArray(value)) return pickItems(value, branch, left, path)
  return isObject(value) ? pickMembers(value, branch, left, path) : value
}

function pickMembers(value: JsonObject, { members }: Branch, left: LeftOut, path: string): Json {
  const kept: [string, Json][] = []
  for (const [name, inner] of Object.entries(value)) {
    const branch = members.get(name)
    if (branch) kept.push([name, pick(inner, branch(), left, join(path, name))])
    else left.members.add(join(path, name))
  }
  return Object.fromEntries(kept)
}

/** A number picks one item; a name is looked for in every item. */
function pickItems(value: Json[], { items, everywhere }: Branch, left: LeftOut, path: string): Json {
  const others = everywhere()
  const kept: Json[] = []
  for (const [index, item] of value.entries()) {
    const own = items.get(String(index))?.() ?? others
    if (own !== null) kept.push(pick(item, own, left, path))
  }
  if (kept.length < value.length) left.lists.set(path, { had: value.length, has: kept.length })
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

function cutLists(value: Json, most: number, left: LeftOut, path: string): Json {
  if (Array.isArray(value)) {
    if (value.length > most) noteCut(left, path, value.length, most)
    return value.slice(0, most).map((item) => cutLists(item, most, left, path))
  }
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, cutLists(inner, most, left, join(path, name))]),
  )
}

/** Lists inside the items of a list share a path: the longest speaks for them. */
function noteCut(left: LeftOut, path: string, had: number, has: number): void {
  const before = left.lists.get(path)
  if (!before || before.had < had) left.lists.set(path, { had, has })
}

/** As far as a notice shows it. */
function join(path: string, name: string): string {
  if (path.length > longestPath) return path
  return path === '' ? cut(name, longestName) : `${path}.${cut(name, longestName)}`
}
const longestName = 100
const longestPath = 300

function noticeOf({ members, lists, missing }: LeftOut): string | null {
  const parts: string[] = []
  if (lists.size > 0)
    parts.push(
      listed(
        [...lists].map(
          ([path, { had, has }]) => `${path === '' ? 'the list' : `\`${path}\``} shows ${has} of ${had} items`,
        ),
      ),
    )
  if (members.size > 0) parts.push(`not shown: ${listed([...members].map((path) => `\`${path}\``))}`)
  if (missing.length > 0) parts.push(`not in the result: ${listed(missing.map((path) => `\`${path}\``))}`)
  return parts.length === 0 ? null : `This result was shortened: ${parts.join('; ')}.`
}
