import { type RequestHead, refuse } from '../../foundation/http/index.ts'

/** The caller's own key for staging; null where none was sent. */
export function stageKeyOf(head: Pick<RequestHead, 'valuesOf'>): string | null {
  const [key, ...others] = head.valuesOf('idempotency-key')
  if (key === undefined) return null
  if (others.length > 0 || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw refuse('invalid_request', 'Idempotency-Key is 1 to 255 printable ASCII characters, sent once.')
  }
  return key
}
