// The right to move a tenant, which one run of the command has at a time.
import type { Database, Queries } from '../../foundation/db/index.ts'
import { MoveStopped } from './faults.ts'
import * as sql from './queries.ts'

/** The lock ends with its connection, and the change by which a tenant moves is made on that connection. */
export async function underLock<Result>(
  { guard }: { readonly guard: Pick<Database, 'transaction'> },
  work: (tx: Queries) => Promise<Result>,
): Promise<Result> {
  return await guard.transaction(
    async (tx) => {
      if ((await tx.one(sql.takeTurn))?.taken !== true) throw new MoveStopped(await whoHasIt(tx))
      return await work(tx)
    },
    { unlimited: true },
  )
}

/** A machine that is gone may hold its connection for hours, so whoever waits for it reads how to end it. */
async function whoHasIt(tx: Queries): Promise<string> {
  const said =
    'Another run of this command, or of npm run rotate-encryption, is under way, and one tenant moves at a time.'
  const holder = await tx.one(sql.readTurn)
  if (holder === undefined) return `${said} Try again in a moment.`
  const { pid, address, since } = holder
  return (
    `${said} It began at ${since}${address === null ? '' : ` and connects from ${address}`}. Wait until it has ended. ` +
    `If its machine is gone, end its connection in the database "first": select pg_terminate_backend(${pid})`
  )
}
