import type { Language } from '@tether/contract'
import type { Queries } from '../../kernel/db/index.ts'
import { findChoice, saveChoice, saveLanguage } from './queries.ts'
import type { Wanted } from './wanted.ts'

export type NoticeChoices = { readonly wanted: Wanted; readonly language: Language | null }

type Db = { readonly db: Queries }
type At = { readonly tenantId: number; readonly personId: number }

export async function choicesOf({ db }: Db, { tenantId, personId }: At): Promise<NoticeChoices> {
  const found = await db.one(findChoice, { tenantId, personId })
  return { wanted: found?.wanted ?? 'all', language: found?.language ?? null }
}

export const choose = (
  { db }: Db,
  { tenantId, personId }: At,
  { wanted, language }: { readonly wanted: Wanted; readonly language: Language },
) => db.run(saveChoice, { tenantId, personId, wanted, language })

/** Whoever signs in on a page reads its language, and so does whoever is invited in it. */
export const rememberLanguage = ({ db }: Db, { tenantId, personId }: At, language: Language) =>
  db.run(saveLanguage, { tenantId, personId, language })
