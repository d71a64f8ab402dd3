import { ERRORS, type ErrorCode, OpenAiError } from '@tether/contract'
import type { ErrorBody, Refusal } from '../../kernel/http/index.ts'
import { member } from '../../kernel/json/index.ts'
import type { Route } from '../../tenancy/access/index.ts'

type Body = OpenAiError

/** Our refusals begin with the member that they are about. */
const NAMED = /^`([\w.]+)`/

function formOf({ code, message, reason }: ErrorBody, status: number): Body {
  const type = status >= 500 ? 'server_error' : status === 429 ? 'rate_limit_error' : 'invalid_request_error'
  const named = NAMED.exec(message)?.[1]
  const param = (named === undefined ? PARAMS[code] : (member(THEIRS, named) ?? named)) ?? null
  return { error: { message, type, param, code, ...(reason === undefined ? {} : { reason }) } }
}

/** What we call the last message and its picture. */
const THEIRS: Readonly<Record<string, string>> = { prompt: 'messages', 'image.url': 'messages' }

/** What refuses a part of the question speaks of our own member for it. */
const PARAMS: Partial<Record<ErrorCode, string>> = { invalid_image: 'messages', session_not_yours: 'metadata' }

export const errorForm: NonNullable<Route['errorForm']> = { schema: OpenAiError, of: formOf }

/** The same, in the middle of a stream. */
export const errorOf = ({ code, message, extras }: Refusal): Body => formOf({ code, message, ...extras }, ERRORS[code])
