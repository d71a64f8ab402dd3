import type { RepositorySource } from '@tether/contract'
import { parseJson } from '../../kernel/json/index.ts'
import { lexiconOf } from './lexicon.ts'
import type { PackRow, SuggestionRow } from './queries.ts'

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
