/** Why a request has no answer. */
export type FaultKind = 'refused' | 'unreachable' | 'timeout' | 'aborted' | 'too_large' | 'invalid_answer'

/** Carries a failure from where it happens to the result. It never leaves the room as a thrown error. */
export class Fault extends Error {
  readonly kind: FaultKind
  /** The system's or the library's own code, for logs. */
  readonly code: string | null
  /** Whether bytes of the request may have reached the peer. */
  sent = false
  status: number | null = null

  constructor(kind: FaultKind, message: string, code: string | null = null) {
    super(message)
    this.kind = kind
    this.code = code
  }
}

export function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null
  return typeof error.code === 'string' ? error.code : null
}

/** An error of the socket before the request was written: nothing was sent. */
export function connectFault(error: unknown): Fault {
  if (error instanceof Fault) return error
  const code = codeOf(error)
  if (code === 'UND_ERR_INVALID_ARG') return new Fault('refused', 'The request cannot be written as HTTP/1.1.', code)
  if (code === 'ECONNREFUSED')
    return new Fault('unreachable', 'The connection was refused. Is the server running?', code)
  if (code === 'ETIMEDOUT') return new Fault('unreachable', 'The server did not accept the connection in time.', code)
  if (isTls(code)) {
    return new Fault(
      'unreachable',
      `TLS failed (${code}). Check the certificate: its chain, its dates and its names.`,
      code,
    )
  }
  return new Fault('unreachable', `The connection could not be made (${code ?? 'no reason given'}).`, code)
}

const isTls = (code: string | null): boolean =>
  code !== null && /CERT|SSL|TLS|SIGNED|SIGNATURE|EPROTO|ISSUER|CHAIN|HOSTNAME_MISMATCH/.test(code)

/** An error after the request head was written: the peer may have all of it. */
export function answerFault(error: unknown): Fault {
  if (error instanceof Fault) return error
  const code = codeOf(error)
  const text = error instanceof Error ? error.message : ''
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return new Fault('too_large', "The answer's headers are too large.", code)
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') return closing(code)
  if (isBroken(code, text)) return new Fault('invalid_answer', 'The answer is not valid HTTP/1.1.', code)
  return new Fault('unreachable', 'The connection was lost before the answer was complete.', code)
}

export const closing = (code: string | null = null): Fault =>
  new Fault('aborted', 'The service is shutting down.', code)

// An end in the middle of the body is a lost connection, not a broken answer; the parser reports both with the same prefix.
const isBroken = (code: string | null, text: string): boolean =>
  (code?.startsWith('HPE_') === true && code !== 'HPE_INVALID_EOF_STATE') ||
  (code === 'UND_ERR_SOCKET' && /^bad (response|upgrade)/.test(text))
