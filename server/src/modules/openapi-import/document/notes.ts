import type { NOTE_CODES } from '@tether/contract'
import { cut, listed } from '../../../kernel/json/index.ts'

/** What the import made of something that it could not take as it stands. */
export type Note = {
  readonly code: (typeof NOTE_CODES)[number]
  readonly operation: string | null
  readonly message: string
}

/** One note for all of them. */
export const lostNotes = (lost: ReadonlySet<string>): Note[] =>
  lost.size === 0
    ? []
    : [
        noteOf(
          'unresolved',
          null,
          `${lost.size} reference(s) lead outside of the document or nowhere, so what they stand for is missing: ${listed(
            [...lost].slice(0, 5).map((one) => cut(one, 100)),
            5,
          )}. Bundle the document into one file to have it.`,
        ),
      ]

export const noteOf = (code: Note['code'], operation: string | null, message: string): Note => ({
  code,
  operation: operation === null ? null : cut(operation, 200),
  message,
})
