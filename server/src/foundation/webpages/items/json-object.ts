export type JsonObject = { readonly [name: string]: unknown }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Walks everything below a value without a recursion, objects in the order of the document. */
export function* objectsIn(value: unknown, most: number): Generator<JsonObject> {
  const waiting: unknown[] = [value]
  let left = most
  while (waiting.length > 0 && left-- > 0) {
    const next = waiting.pop()
    if (isObject(next)) yield next
    if (typeof next !== 'object' || next === null) continue
    const inner = Object.values(next).slice(0, left)
    for (let at = inner.length - 1; at >= 0; at--) {
      if (typeof inner[at] === 'object' && inner[at] !== null) waiting.push(inner[at])
    }
  }
}
