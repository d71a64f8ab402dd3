import type { Database, Transaction } from './database.ts'
import { sqlState } from './errors.ts'
import type { Named, ValueArguments } from './named-values.ts'
import type { Statement } from './statement.ts'

type Waiting = {
  run(on: Pick<Database, 'one'> | Transaction): Promise<unknown>
  resolve(row: unknown): void
  reject(error: unknown): void
}

/** A lock that all of them need is held until the last of them has run, by a process that others wait for. */
const MOST_TOGETHER = 16

/**
 * Statements of one line would wait for each other's lock until the other has committed. Here they do not: one goes at once, and
 * whatever comes meanwhile goes together, in one transaction with one commit. Whoever is alone in a line waits for nobody.
 */
export function openLines(db: Pick<Database, 'one' | 'transaction'>): Database['inLine'] {
  const lines = new Map<string, Waiting[]>()

  async function alone(one: Waiting): Promise<void> {
    await one.run(db).then(one.resolve, one.reject)
  }

  async function together(several: readonly Waiting[]): Promise<void> {
    try {
      const rows = await db.transaction(async (tx) => {
        const found: unknown[] = []
        for (const one of several) found.push(await one.run(tx))
        return found
      })
      for (const [at, one] of several.entries()) one.resolve(rows[at])
    } catch (error) {
      // Nothing took effect, and it was one of them: each by itself then, and its error is for whoever asked.
      if (sqlState(error) !== undefined) for (const one of several) await alone(one)
      else for (const one of several) one.reject(error)
    }
  }

  async function work(line: string, waiting: Waiting[]): Promise<void> {
    for (let next = waiting.splice(0, MOST_TOGETHER); next.length > 0; next = waiting.splice(0, MOST_TOGETHER)) {
      const [first] = next
      await (first !== undefined && next.length === 1 ? alone(first) : together(next))
    }
    lines.delete(line)
  }

  return <Row, Values extends Named>(
    line: string,
    statement: Statement<Row, Values>,
    ...values: ValueArguments<NoInfer<Values>>
  ) => {
    const { promise, resolve, reject } = Promise.withResolvers<Row | undefined>()
    // What a line gives back is what its own statement found.
    const entry: Waiting = { run: (on) => on.one(statement, ...values), resolve: resolve as Waiting['resolve'], reject }
    const waiting = lines.get(line)
    if (waiting !== undefined) waiting.push(entry)
    else {
      const begun = [entry]
      lines.set(line, begun)
      void work(line, begun)
    }
    return promise
  }
}
