import { refuse } from '../../foundation/http/index.ts'

/** The caller's own key for a staging; null where none was sent. */
export function stageKeyOf([key, ...others]: readonly string[]): string | null {
  if (key === undefined) return null
  if (others.length > 0 || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw refuse('invalid_request', 'Idempotency-Key must be 1 to 255 printable ASCII characters, sent once.')
  }
  return key
}
