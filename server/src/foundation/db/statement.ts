// Every SQL text of the server is declared once, by name, in a `queries.ts`. The registry is what the tenant-wall check
// reads (it sees every text that can ever run), and the name is what the driver prepares it under.
import { type Compiled, compile, type Named, type NoValues } from './named-values.ts'

declare const shape: unique symbol

/** One SQL text with the types of what goes in and what comes out. The types are a claim; the tests hold them. */
export type Statement<Row, Values extends Named = NoValues> = Compiled & {
  readonly name: string
  /** Planned at every run, by the size that the tables have then: for work on a queue, which is empty now and huge later. */
  readonly unprepared?: boolean
  readonly [shape]?: (values: Values) => Row
}

// PostgreSQL cuts a longer name off, and two of them may become one.
const longestName = 63
const declared = new Map<string, Statement<unknown, never>>()

/** In the text, `$tenantId` stands for the value that callers hand in as `{ tenantId }`. */
export function statement<Row, Values extends Named = NoValues>(
  name: string,
  text: string,
  { unprepared = false }: { readonly unprepared?: boolean } = {},
): Statement<Row, Values> {
  if (declared.has(name)) throw new Error(`SQL statement "${name}" is declared twice: give one of them another name.`)
  if (name.length > longestName)
    throw new Error(`SQL statement "${name}" has a name of more than ${longestName} letters.`)
  const made = unlisted<Row, Values>(name, text)
  const listed = unprepared ? { ...made, unprepared } : made
  declared.set(name, listed)
  return listed
}

/** A statement that no check reads: for what is no table of ours, and for tests and proofs, which look into every tenant. */
export function unlisted<Row, Values extends Named = NoValues>(name: string, text: string): Statement<Row, Values> {
  try {
    return { name, ...compile(text) }
  } catch (error) {
    throw new Error(`SQL statement "${name}": ${(error as Error).message}`, { cause: error })
  }
}

export const allStatements = (): readonly Statement<unknown, never>[] => [...declared.values()]
