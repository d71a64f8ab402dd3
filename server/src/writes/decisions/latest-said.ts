import type { Context } from '../../tenancy/context/index.ts'
import { plainWords } from './plain-words.ts'
import { latestExchanges } from './queries.ts'

export type Said = { readonly prompt: string; readonly reply: string; readonly at: Date }

const LONGEST = 2_000

/** The last things that were said in a conversation, the oldest first: the words alone, without figures and tables. */
export async function latestSaid({ db, asking }: Context, sessionId: string, most: number): Promise<readonly Said[]> {
  const rows = await db.rows(latestExchanges, { tenantId: asking.tenantId, sessionId, most, longest: LONGEST })
  return rows.toReversed().map(({ prompt, reply, at }) => ({ prompt, reply: plainWords(reply), at }))
}
