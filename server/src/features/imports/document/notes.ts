import type { NOTE_CODES } from '@tether/contract'
import { cut } from '../../../foundation/json/index.ts'

/** What the import made of something that it could not take as it stands. */
export type Note = {
  readonly code: (typeof NOTE_CODES)[number]
  readonly operation: string | null
  readonly message: string
}

export const noteOf = (code: Note['code'], operation: string | null, message: string): Note => ({
  code,
  operation: operation === null ? null : cut(operation, 200),
  message,
})
