import type { Json } from '../json-value.ts'

/**
 * The members or items of a value that some keyword has checked. `unevaluatedProperties` and `unevaluatedItems` leave
 * them out.
 */
export type Seen = { names: Set<string>; firstItems: number; items: Set<number> }

export const nothingSeen = (): Seen => ({ names: new Set(), firstItems: 0, items: new Set() })

export function addSeen(into: Seen, from: Seen): void {
  for (const name of from.names) into.names.add(name)
  into.firstItems = Math.max(into.firstItems, from.firstItems)
  for (const item of from.items) into.items.add(item)
}

export const unseenItems = (seen: Seen, value: Json[]): number[] =>
  [...value.keys()].filter((index) => index >= seen.firstItems && !seen.items.has(index))
