import { ISSUABLE_KINDS, type IssuableKind, type KeyKind } from '@tether/contract'
import { refuse } from '../../foundation/http/index.ts'
import type { KeyRow } from './queries.ts'

const iso = (date: Date | null): string | null => date?.toISOString() ?? null

/** A key's row, as the wire has it. */
export const presentKey = <Row extends KeyRow>(row: Row) => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: iso(row.lastUsedAt),
  expiresAt: iso(row.expiresAt),
  revokedAt: iso(row.revokedAt),
})

const isIssuable = (kind: string): kind is IssuableKind => (ISSUABLE_KINDS as readonly string[]).includes(kind)

/** The kind that a request asks for; `allowReplace` makes a CI key the stronger of its two kinds. */
export function kindAsked(kind: string, allowReplace = false): KeyKind {
  if (!isIssuable(kind)) throw refuse('unknown_kind', `\`kind\` is one of ${ISSUABLE_KINDS.join(', ')}.`)
  if (allowReplace && kind !== 'ci') throw refuse('invalid_request', '`allowReplace` is for a `ci` key only.')
  return allowReplace ? 'ci_replace' : kind
}
