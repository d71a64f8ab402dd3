import { refuse } from '../../kernel/http/index.ts'
import { inTurns } from '../../kernel/json/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { lexiconOf, merged, storedLexicon } from './lexicon.ts'
import { MOST_ATTEMPTS } from './limits.ts'
import { presentPack, presentSuggestion } from './pack.ts'
import * as sql from './queries.ts'

type Mode = 'merge' | 'replace'

/**
 * Puts a suggestion's words into the pack. The sum is made of one version of the pack and written only while that is the
 * newest; where another change came between, it is made again.
 */
export async function acceptSuggestion({ db, asking }: Context, id: string, mode: Mode) {
  const { tenantId } = asking
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    const pack = await db.one(sql.latestPack, { tenantId })
    const suggestion = pending(await db.one(sql.findSuggestion, { tenantId, id }))
    const proposed = lexiconOf(suggestion.lexicon)
    const isNew = mode === 'replace' || pack === undefined
    const lexicon = isNew ? proposed : await inTurns(merged(lexiconOf(pack.lexicon), proposed))
    const row = await db.one(sql.accept, {
      tenantId,
      id,
      expected: pack?.version ?? 0,
      lexicon: storedLexicon(lexicon),
    })
    if (row === undefined) continue
    const { version, packLexicon, updatedAt, ...accepted } = row
    return {
      suggestion: presentSuggestion(accepted),
      domainPack: presentPack({ version, lexicon: packLexicon, updatedAt }),
    }
  }
  throw refuse('database_unavailable', 'The pack is being changed all the time. Nothing was accepted: try again later.')
}

export async function dismissSuggestion({ db, asking }: Context, id: string) {
  const { tenantId } = asking
  const row = await db.one(sql.dismiss, { tenantId, id })
  if (row === undefined) throw notPending(await db.one(sql.findSuggestion, { tenantId, id }))
  return { suggestion: presentSuggestion(row) }
}

function pending(row: sql.SuggestionRow | undefined): sql.SuggestionRow {
  if (row?.status !== 'pending') throw notPending(row)
  return row
}

const notPending = (row: sql.SuggestionRow | undefined) =>
  row === undefined
    ? refuse('suggestion_not_found', 'There is no such suggestion. GET /v1/domain-pack/suggestions lists them.')
    : refuse('suggestion_not_pending', `This suggestion is ${row.status} already. Nothing was changed.`)
