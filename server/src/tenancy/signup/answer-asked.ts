// Links that somebody asked for by an address. They are answered later, so that no caller can tell from the time it takes whether the
// address has a workspace.

import { SecretUnreadable } from '../../kernel/crypto/index.ts'
import type { Queries } from '../../kernel/db/index.ts'
import type { House } from '../context/index.ts'
import { tenantsOfAddress } from '../tenants/index.ts'
import type { waitingRequests } from './queries.ts'

const MOST_WORKSPACES = 5

type Answering<Request> = ReturnType<typeof waitingRequests<Request>> & {
  /** What is mailed, for the log. */
  readonly what: string
  mail(tx: Queries, tenantId: number, asked: Request): Promise<void>
}

type Asked = { readonly requestId: string; readonly emailHash: string }

export async function answerAsked<Request extends Asked>(
  house: House,
  signal: AbortSignal,
  answering: Answering<Request>,
): Promise<number> {
  for (let all = 0; !signal.aborted; all++) {
    if (!(await answerNext(house, answering))) return all
  }
  return 0
}

async function answerNext<Request extends Asked>(
  { db, log }: House,
  { take, drop, what, mail }: Answering<Request>,
): Promise<boolean> {
  let taken: Request | undefined
  try {
    return await db.transaction(async (tx) => {
      taken = await tx.one(take)
      if (taken === undefined) return false
      for (const { tenantId } of await tenantsOfAddress(tx, taken.emailHash, MOST_WORKSPACES)) {
        await mail(tx, tenantId, taken)
      }
      return true
    })
  } catch (error) {
    // It would not open the next time either, and would hold up everybody behind it.
    if (!(error instanceof SecretUnreadable) || taken === undefined) throw error
    log.error(
      { error },
      `${what} could not be mailed because the stored address does not open. Restore the encryption key.`,
    )
    await db.run(drop, { requestId: taken.requestId })
    return true
  }
}
