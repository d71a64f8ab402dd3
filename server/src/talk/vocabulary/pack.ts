import type { RepositorySource } from '@tether/contract'
import { inTurns, parseJson } from '../../kernel/json/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { noTenant } from '../../tenancy/tenants/index.ts'
import { lexiconOf, readPackLexicon, storedLexicon } from './lexicon.ts'
import type { PackRow, SuggestionRow } from './queries.ts'
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

export const presentPack = (row: PackRow | undefined) => ({
  version: row?.version ?? 0,
  lexicon: row === undefined ? {} : lexiconOf(row.lexicon),
  updatedAt: row?.updatedAt.toISOString() ?? null,
})

export const presentSuggestion = ({ id, status, lexicon, source, note, createdAt, decidedAt }: SuggestionRow) => ({
  id,
  status,
  lexicon: lexiconOf(lexicon),
  // What we stored is what `readSource` let through.
  source: source === null ? null : (parseJson(source) as RepositorySource),
  note,
  createdAt: createdAt.toISOString(),
  decidedAt: decidedAt?.toISOString() ?? null,
})
