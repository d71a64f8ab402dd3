// JSON as a stranger writes it: members may come twice, and a value may be any text at all.
export type JsonTree =
  | { readonly kind: 'text'; text: string }
  | { readonly kind: 'list'; readonly items: JsonTree[] }
  | { readonly kind: 'object'; readonly members: [name: string, value: JsonTree][] }

export const rawJson = (text: string): JsonTree => ({ kind: 'text', text })

/** A lone surrogate is written as its escape, so that the body stays UTF-8. */
export const textJson = (text: string): JsonTree => rawJson(JSON.stringify(text))

export function treeOf(value: unknown): JsonTree {
  if (Array.isArray(value)) return { kind: 'list', items: value.map(treeOf) }
  if (typeof value !== 'object' || value === null) return rawJson(JSON.stringify(value) ?? 'null')
  return { kind: 'object', members: Object.entries(value).map(([name, member]) => [name, treeOf(member)]) }
}

export function writeJson(tree: JsonTree): string {
  if (tree.kind === 'text') return tree.text
  if (tree.kind === 'list') return `[${tree.items.map(writeJson).join(',')}]`
  return `{${tree.members.map(([name, value]) => `${JSON.stringify(name)}:${writeJson(value)}`).join(',')}}`
}

/** Every place in a tree, as the means to put something else there; the root is the first. */
export type Place = { readonly now: JsonTree; readonly put: (tree: JsonTree) => void }

export function placesIn(root: { tree: JsonTree }): Place[] {
  const setRoot = (tree: JsonTree) => {
    root.tree = tree
  }
  const places: Place[] = [{ now: root.tree, put: setRoot }]
  for (let at = 0; at < places.length; at++) {
    const tree = places[at]?.now
    if (tree?.kind === 'list') places.push(...tree.items.map((now, index) => itemOf(tree.items, now, index)))
    if (tree?.kind === 'object') places.push(...tree.members.map(memberOf))
  }
  return places
}

const itemOf = (items: JsonTree[], now: JsonTree, index: number): Place => ({
  now,
  put: (tree) => {
    items[index] = tree
  },
})

const memberOf = (member: [name: string, value: JsonTree]): Place => ({
  now: member[1],
  put: (tree) => {
    member[1] = tree
  },
})
