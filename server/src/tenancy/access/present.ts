import { ISSUABLE_KINDS, type IssuableKind, type KeyKind } from '@tether/contract'
import { refuse } from '../../kernel/http/index.ts'
import type { KeyRow } from './queries.ts'

const iso = (date: Date | null): string | null => date?.toISOString() ?? null

/** A key's row in the form of the wire. */
export const presentKey = <Row extends KeyRow>(row: Row) => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: iso(row.lastUsedAt),
  expiresAt: iso(row.expiresAt),
  revokedAt: iso(row.revokedAt),
})

const isIssuable = (kind: string): kind is IssuableKind => (ISSUABLE_KINDS as readonly string[]).includes(kind)

/** The kind that a request asks for. `allowReplace` selects the stronger of the two kinds of CI key. */
export function kindAsked(kind: string, allowReplace = false): KeyKind {
  if (!isIssuable(kind)) throw refuse('unknown_kind', `\`kind\` must be one of ${ISSUABLE_KINDS.join(', ')}.`)
  if (allowReplace && kind !== 'ci')
    throw refuse('invalid_request', '`allowReplace` is only for a `ci` key. Leave it out.')
  return allowReplace ? 'ci_replace' : kind
}
