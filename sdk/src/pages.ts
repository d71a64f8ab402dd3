import type { Line } from './line.ts'
import type { Operations } from './operations.ts'
import { type AnswerOf, type Asked, type Operation, request } from './request.ts'

/** The operations that answer a list in pages. */
export type Listing = {
  [Name in Operation]: AnswerOf<Name> extends { nextAfter: unknown } | { nextBefore: unknown } ? Name : never
}[Operation]

/** One of what a page lists. */
export type ItemOf<Name extends Listing> = {
  [Member in keyof Operations[Name]['answer']]-?: Operations[Name]['answer'][Member] extends readonly (infer Item)[]
    ? Item
    : never
}[keyof Operations[Name]['answer']]

/** Every item of every page. A page says in `nextAfter` or `nextBefore` what the next one is asked with. */
export async function* each(
  line: Line,
  operation: string,
  asked: Asked = {},
): AsyncGenerator<unknown, void, undefined> {
  let query = asked.query ?? {}
  for (;;) {
    const page = (await request(line, operation, { ...asked, query })) as Record<string, unknown>
    const items = Object.values(page).find((member) => Array.isArray(member))
    yield* items ?? []
    const next = Object.entries(page).find(([name, value]) => /^next[A-Z]/.test(name) && value !== null)
    if (next === undefined) return
    const [name, value] = next
    query = { ...query, [name.slice(4, 5).toLowerCase() + name.slice(5)]: value }
  }
}
