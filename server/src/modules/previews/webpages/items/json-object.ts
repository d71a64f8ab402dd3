export type JsonObject = { readonly [name: string]: unknown }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Walks everything below a value without a recursion, objects in the order of the document. */
export function* objectsIn(value: unknown, most: number): Generator<JsonObject> {
  const waiting: unknown[] = [value]
  let left = most
  while (waiting.length > 0 && left-- > 0) {
    const next = waiting.pop()
    if (typeof next !== 'object' || next === null) continue
    const inner: unknown[] = Array.isArray(next) ? next : Object.values(next)
    if (!Array.isArray(next)) yield next as JsonObject
    for (let at = Math.min(inner.length, left) - 1; at >= 0; at--) {
      if (typeof inner[at] === 'object') waiting.push(inner[at])
    }
  }
}
