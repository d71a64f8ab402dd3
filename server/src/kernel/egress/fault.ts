/** Why a request got no answer. */
export type FaultKind = 'refused' | 'unreachable' | 'timeout' | 'aborted' | 'too_large' | 'invalid_answer'

/** Carries a failure from where it happens to the result. This room never throws it at its callers. */
export class EgressFault extends Error {
  readonly kind: FaultKind
  /** The code of the system or the library, for logs. */
  readonly code: string | null
  /** True if bytes of the request may have reached the peer. */
  sent = false
  status: number | null = null

  constructor(kind: FaultKind, message: string, code: string | null = null) {
    super(message)
    this.kind = kind
    this.code = code
  }
}

export function errorCode(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null
  return typeof error.code === 'string' ? error.code : null
}

/** For a socket error before the request was written, so that nothing was sent. */
export function connectFault(error: unknown): EgressFault {
  if (error instanceof EgressFault) return error
  const code = errorCode(error)
  if (isClosing(code)) return closingFault(code)
  if (code === 'UND_ERR_INVALID_ARG')
    return new EgressFault('refused', 'The request cannot be written as HTTP/1.1.', code)
  if (code === 'ECONNREFUSED')
    return new EgressFault('unreachable', 'The connection was refused. Check that the server is running.', code)
  if (code === 'ETIMEDOUT')
    return new EgressFault('unreachable', 'The server did not accept the connection in time.', code)
  if (isTls(code)) {
    return new EgressFault(
      'unreachable',
      `TLS failed (${code}). Check the certificate: its chain, its dates and its names.`,
      code,
    )
  }
  return new EgressFault('unreachable', `The connection could not be opened (${code ?? 'no reason given'}).`, code)
}

const isTls = (code: string | null): boolean =>
  code !== null && /CERT|SSL|TLS|SIGNED|SIGNATURE|EPROTO|ISSUER|CHAIN|HOSTNAME_MISMATCH/.test(code)

/**
 * For an error after the request's head was written, so that the peer may have all of it. `status` is null before the
 * answer's head.
 */
export function answerFault(error: unknown, status: number | null): EgressFault {
  if (error instanceof EgressFault) return error
  const code = errorCode(error)
  if (code === 'UND_ERR_HEADERS_OVERFLOW')
    return new EgressFault('too_large', "The answer's headers are too large.", code)
  if (isClosing(code)) return closingFault(code)
  if (isBroken(error, code, status)) return new EgressFault('invalid_answer', 'The answer is not valid HTTP/1.1.', code)
  return new EgressFault('unreachable', 'The connection was lost before the answer was complete.', code)
}

const isClosing = (code: string | null): boolean => code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED'

export const closingFault = (code: string | null = null): EgressFault =>
  new EgressFault('aborted', 'The service is shutting down.', code)

// An answer that stops early is a lost connection, not a broken answer, but undici reports both in the same ways: its
// parser has no separate code for it, and a body that stops short also leaves a length that does not match.
function isBroken(error: unknown, code: string | null, status: number | null): boolean {
  if (error instanceof Error && error.name === 'HTTPParserError') return !error.message.includes('EOF')
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return status === null
  return code === 'UND_ERR_SOCKET' && error instanceof Error && /^bad (response|upgrade)/.test(error.message)
}
