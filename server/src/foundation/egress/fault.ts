import { undici } from './late-undici.ts'

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
  if (isClosing(code)) return closing(code)
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

/** An error after the request head was written: the peer may have all of it. `status` is null until the answer's head was read. */
export function answerFault(error: unknown, status: number | null): Fault {
  if (error instanceof Fault) return error
  const code = codeOf(error)
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return new Fault('too_large', "The answer's headers are too large.", code)
  if (isClosing(code)) return closing(code)
  if (isBroken(error, code, status)) return new Fault('invalid_answer', 'The answer is not valid HTTP/1.1.', code)
  return new Fault('unreachable', 'The connection was lost before the answer was complete.', code)
}

const isClosing = (code: string | null): boolean => code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED'

export const closing = (code: string | null = null): Fault =>
  new Fault('aborted', 'The service is shutting down.', code)

// An end in the middle is a lost connection, not a broken answer, and undici reports both in the same ways: the parser's error has
// no code of its own for it, and a length that does not fit is also what remains when the body stops short.
function isBroken(error: unknown, code: string | null, status: number | null): boolean {
  const { errors } = undici()
  if (error instanceof errors.HTTPParserError) return !error.message.includes('EOF')
  if (error instanceof errors.ResponseContentLengthMismatchError) return status === null
  return code === 'UND_ERR_SOCKET' && error instanceof Error && /^bad (response|upgrade)/.test(error.message)
}
