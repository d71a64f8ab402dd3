import { SUGGESTION_STATUSES, type SuggestionStatus } from '@tether/contract'
import { refuse } from '../../kernel/http/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { MOST_BYTES } from './limits.ts'
import { presentSuggestion } from './pack.ts'
import { findSuggestion, listSuggestions as list } from './queries.ts'

type ListInput = { readonly status: string; readonly before: string | null; readonly limit: number }

/** The newest first. */
export async function listSuggestions({ db, asking }: Context, { status, before, limit }: ListInput) {
  const { tenantId } = asking
  const values = { status: statusAsked(status), before, most: limit, mostBytes: MOST_BYTES }
  const rows = await db.rows(list, { tenantId, ...values })
  if (rows.length === 0 && before !== null && (await db.one(findSuggestion, { tenantId, id: before })) === undefined) {
    throw refuse('invalid_request', '`before` is not a suggestion of this workspace. Send the `nextBefore` of a page.')
  }
  const last = rows.at(-1)
  return {
    suggestions: rows.map(presentSuggestion),
    count: rows.length,
    nextBefore: last?.hasMore === true ? last.id : null,
  }
}

/** One of them, whatever became of it. */
export async function readSuggestion({ db, asking }: Context, id: string) {
  const row = await db.one(findSuggestion, { tenantId: asking.tenantId, id })
  if (row !== undefined) return presentSuggestion(row)
  throw refuse('suggestion_not_found', 'There is no such suggestion. GET /v1/domain-pack/suggestions lists them.')
}

const isStatus = (text: string): text is SuggestionStatus => SUGGESTION_STATUSES.some((one) => one === text)

/** Null means all of them. */
function statusAsked(text: string): SuggestionStatus | null {
  if (text === 'all') return null
  if (isStatus(text)) return text
  throw refuse('invalid_status', `\`status\` must be one of ${SUGGESTION_STATUSES.join(', ')} and all.`)
}
