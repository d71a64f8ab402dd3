// Every SQL text of the server is declared once, by name, in a `queries.ts`. The tenant-wall check reads this registry,
// so it sees every text that can ever run, and the driver prepares each text under its name.
import { type Compiled, compileSql, type Named, type NoValues } from './named-values.ts'

declare const shape: unique symbol

/** One SQL text with the types of its values and rows. Nothing but the tests proves that the types are right. */
export type Statement<Row, Values extends Named = NoValues> = Compiled & {
  readonly name: string
  /** Makes PostgreSQL plan every run anew, for tables such as a queue, which is empty now and huge later. */
  readonly unprepared?: boolean
  readonly [shape]?: (values: Values) => Row
}

// PostgreSQL truncates longer names, so two of them could become one.
const longestName = 63
const declared = new Map<string, Statement<unknown, never>>()

/** In the text, `$tenantId` stands for the value that callers pass as `{ tenantId }`. */
export function statement<Row, Values extends Named = NoValues>(
  name: string,
  text: string,
  { unprepared = false }: { readonly unprepared?: boolean } = {},
): Statement<Row, Values> {
  if (declared.has(name)) throw new Error(`SQL statement "${name}" is declared twice. Rename one of them.`)
  if (name.length > longestName)
    throw new Error(`The name of SQL statement "${name}" has more than ${longestName} characters. Shorten it.`)
  const made = unlisted<Row, Values>(name, text)
  const listed = unprepared ? { ...made, unprepared } : made
  declared.set(name, listed)
  return listed
}

/**
 * A statement that no check reads: for tables that are not ours, and for tests and proofs, which look into every
 * tenant.
 */
export function unlisted<Row, Values extends Named = NoValues>(name: string, text: string): Statement<Row, Values> {
  try {
    return { name, ...compileSql(text) }
  } catch (error) {
    throw new Error(`SQL statement "${name}": ${(error as Error).message}`, { cause: error })
  }
}

export const allStatements = (): readonly Statement<unknown, never>[] => [...declared.values()]
