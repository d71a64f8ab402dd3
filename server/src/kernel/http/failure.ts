import { randomUUID } from 'node:crypto'
import { ERRORS, type ErrorCode } from '@tether/contract'
import { withSignsTold } from '../text/index.ts'
import type { Answer, Endpoint, ErrorBody } from './endpoint.ts'
import { Refusal, refuse } from './refusal.ts'

/** What failed inside, for the log. The answer gives the caller the same id and nothing else. */
export type Failure = { readonly errorId: string; readonly requestId: string; readonly error: unknown }

type Reporting = {
  readonly requestId: string
  readonly onFailure: (failure: Failure) => void
  readonly refusalOf: (error: unknown) => Refusal | undefined
  readonly errorForm?: Endpoint['errorForm']
}

export function errorAnswer(error: unknown, reporting: Reporting): Answer & { readonly code: ErrorCode } {
  const refusal = error instanceof Refusal ? error : (fromFramework(error) ?? internal(error, reporting))
  const { code, extras, headers } = refusal
  // It may repeat what a caller or a business wrote.
  const message = withSignsTold(refusal.message)
  const status = ERRORS[code]
  const body: ErrorBody = { code, message, ...extras }
  return { code, status, headers, body: reporting.errorForm?.(body, status) ?? { error: body } }
}

function internal(error: unknown, { requestId, onFailure, refusalOf }: Reporting): Refusal {
  const errorId = `err_${randomUUID()}`
  onFailure({ errorId, requestId, error })
  const own = refusalOf(error)
  if (own !== undefined) return own
  return refuse('internal_error', `Something failed on our side. Quote ${errorId} when you report it.`, { errorId })
}

/** What the framework refuses is the caller's error. We answer it in our own words. */
function fromFramework(error: unknown): Refusal | undefined {
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return refuse('body_too_large', 'The body is larger than this route accepts. Send a smaller one.')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return refuse('unsupported_media_type', 'Send the body as application/json.')
  if (code === 'FST_ERR_BAD_URL')
    return refuse('invalid_request', 'The address is not a valid URL path. Check its percent-encoding.')
  if (code?.startsWith('FST_ERR_') && statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return refuse('invalid_request', 'The request could not be read. Check that it is valid HTTP with a JSON body.')
  }
  return undefined
}
