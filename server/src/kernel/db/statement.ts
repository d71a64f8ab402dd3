// Every SQL text of the server is declared once, by name, in a `queries.ts`. The tenant-wall check reads this registry,
// so it sees every text that can ever run, and the driver prepares each text under its name.
import { type Compiled, compileSql, type Named, type NoValues } from './named-values.ts'

declare const shape: unique symbol

/** What the text of a statement does not say by itself. `npm run check` compares each member with the text. */
export type Declaration = {
  /** Makes PostgreSQL plan every run anew, for tables such as a queue, which is empty now and huge later. */
  readonly unprepared?: boolean
  /** The bells of the jobs that have work to do after this statement. */
  readonly wakes?: readonly string[]
  /** Why it may read rows of many tenants. Such a statement changes nothing and locks nothing. */
  readonly looks?: string
  /** Why it may change rows of many tenants at once. */
  readonly batches?: string
  /** The tables of other rooms that it writes, each with the reason. */
  readonly guest?: Readonly<Record<string, string>>
}

/** One SQL text with the types of its values and rows. Nothing but the tests proves that the types are right. */
export type Statement<Row, Values extends Named = NoValues> = Compiled &
  Declaration & {
    readonly name: string
    readonly [shape]?: (values: Values) => Row
  }

// PostgreSQL truncates longer names, so two of them could become one.
const longestName = 63
const declared = new Map<string, Statement<unknown, never>>()

/** In the text, `$tenantId` stands for the value that callers pass as `{ tenantId }`. */
export function statement<Row, Values extends Named = NoValues>(
  name: string,
  text: string,
  declaration: Declaration = {},
): Statement<Row, Values> {
  if (declared.has(name)) throw new Error(`SQL statement "${name}" is declared twice. Rename one of them.`)
  if (name.length > longestName)
    throw new Error(`The name of SQL statement "${name}" has more than ${longestName} characters. Shorten it.`)
  const listed = { ...unlisted<Row, Values>(name, text), ...declaration }
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
