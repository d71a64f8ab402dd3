import type { ErrorCode, FrameCode, Schemas } from './operations.ts'

/** Codes of our own, for what never reached the service or never came back from it. */
export type LineCode = 'connection_lost' | 'timeout' | 'unexpected_answer'

export type TetherErrorCode =
  | ErrorCode
  | FrameCode
  | Schemas['ConfirmErrorCode']
  | Schemas['NotStaged']['status']
  | LineCode
  // A newer service may have more of them.
  | (string & {})

type Details = {
  readonly code: TetherErrorCode
  readonly operation: string
  readonly status?: number | undefined
  readonly requestId?: string | null | undefined
  readonly reason?: string | undefined
  readonly retryAfterSeconds?: number | undefined
  readonly body?: unknown
  readonly cause?: unknown
}

/** What the service refused, or why there is no answer. */
export class TetherError extends Error {
  override readonly name = 'TetherError'
  /** What a program decides by; docs/reference/errors.md says what to do for each. */
  readonly code: TetherErrorCode
  /** Such as `POST /v1/actions`. */
  readonly operation: string
  /** Of HTTP; 0 where no answer came. */
  readonly status: number
  /** `X-Request-Id`: name it when you ask the operator. Null where no answer came. */
  readonly requestId: string | null
  readonly reason: string | undefined
  readonly retryAfterSeconds: number | undefined
  /** The answer as it came. */
  readonly body: unknown

  constructor(
    message: string,
    { code, operation, status, requestId, reason, retryAfterSeconds, body, cause }: Details,
  ) {
    super(message, cause === undefined ? {} : { cause })
    this.code = code
    this.operation = operation
    this.status = status ?? 0
    this.requestId = requestId ?? null
    this.reason = reason
    this.retryAfterSeconds = retryAfterSeconds
    this.body = body
  }
}

/** Whether the request may have been carried out, and its answer is missing. */
export const isLost = ({ status, code }: TetherError): boolean =>
  status === 0 || status === 502 || status === 504 || code === 'database_unavailable'

/** As `{error: {…}}`, as `{status, …}`, or as `{error: "…"}`. */
export function errorOf(operation: string, response: Response, body: unknown): TetherError {
  const { error, status, message, errorMessage } = (typeof body === 'object' && body !== null ? body : {}) as Said
  const refusal = typeof error === 'object' && error !== null ? error : {}
  const words = refusal.message ?? message ?? errorMessage ?? (typeof error === 'string' ? error : undefined)
  const retryAfter = Number.parseInt(response.headers.get('retry-after') ?? '', 10)
  return new TetherError(words ?? `${operation} answered ${response.status}.`, {
    code: refusal.code ?? (typeof status === 'string' ? status : `http_${response.status}`),
    operation,
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    reason: refusal.reason,
    retryAfterSeconds: Number.isNaN(retryAfter) ? undefined : retryAfter,
    body,
  })
}

type Said = {
  readonly error?: { readonly code?: string; readonly message?: string; readonly reason?: string } | string | null
  readonly status?: unknown
  readonly message?: string
  readonly errorMessage?: string
}
