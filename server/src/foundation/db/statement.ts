// Every SQL text of the server is declared once, by name, in a `queries.ts`. The registry is what the tenant-wall check
// reads (it sees every text that can ever run), and the name is what the driver prepares it under.
declare const shape: unique symbol

/** One SQL text with the types of what goes in and what comes out. The types are a claim; the tests hold them. */
export type Statement<Row, Values extends readonly unknown[]> = {
  readonly name: string
  readonly text: string
  /** Planned at every run, by the size that the tables have then: for work on a queue, which is empty now and huge later. */
  readonly unprepared?: boolean
  readonly [shape]?: (values: Values) => Row
}

// PostgreSQL cuts a longer name off, and two of them may become one.
const longestName = 63
const declared = new Map<string, Statement<unknown, readonly unknown[]>>()

export function statement<Row, Values extends readonly unknown[] = []>(
  name: string,
  text: string,
  { unprepared = false }: { readonly unprepared?: boolean } = {},
): Statement<Row, Values> {
  if (declared.has(name)) throw new Error(`SQL statement "${name}" is declared twice: give one of them another name.`)
  if (name.length > longestName)
    throw new Error(`SQL statement "${name}" has a name of more than ${longestName} letters.`)
  const made: Statement<Row, Values> = unprepared ? { name, text, unprepared } : { name, text }
  declared.set(name, made as Statement<unknown, readonly unknown[]>)
  return made
}

export const allStatements = (): readonly Statement<unknown, readonly unknown[]>[] => [...declared.values()]
