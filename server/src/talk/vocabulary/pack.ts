import { inTurns } from '../../kernel/json/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { noTenant } from '../../tenancy/tenants/index.ts'
import { readPackLexicon, storedLexicon } from './lexicon.ts'
import { presentPack } from './present.ts'
import * as sql from './queries.ts'

export const readPack = async ({ db, asking }: Context) =>
  presentPack(await db.one(sql.latestPack, { tenantId: asking.tenantId }))

/** Replaces the pack entirely. A refused one leaves the present one as it is. */
export async function replacePack({ db, asking }: Context, body: unknown) {
  const lexicon = storedLexicon(await inTurns(readPackLexicon(body)))
  const row = await db.one(sql.insertPack, { tenantId: asking.tenantId, lexicon })
  if (row === undefined) throw noTenant()
  return presentPack(row)
}
