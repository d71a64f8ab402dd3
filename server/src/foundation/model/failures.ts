// What a provider's refusal means to us. Its own words help the operator (a wrong model name, a context too long), so they
// are kept, cut short; never where it speaks of the key, and never the key itself.
import { ModelFailure } from './port.ts'

const MOST_WORDS = 200
const DAY_SECONDS = 86_400
const HIDDEN = '***'

export type Refusal = {
  readonly status: number
  /** The provider's own words, if it said any. */
  readonly words: string
  readonly retryAfter: string | undefined
}

export type Speaker = {
  /** Where the model is asked: an origin, no path and nothing secret. */
  readonly at: string
  readonly apiKey: string | undefined
  now(): number
}

export function failureOf({ status, words, retryAfter }: Refusal, speaker: Speaker): ModelFailure {
  const { at } = speaker
  if (status === 401 || status === 403) {
    return new ModelFailure(
      'refused',
      `The model provider at ${at} refused our key (status ${status}): check AI:Provider:ApiKey.`,
    )
  }
  if (status >= 300 && status < 400) {
    return new ModelFailure(
      'refused',
      `The model provider at ${at} redirects (status ${status}), and the key is not sent elsewhere: set AI:Provider:BaseUrl to where it redirects.`,
    )
  }
  const said = `The model provider at ${at} answered ${status}${quoted(words, speaker)}`
  if (status === 429 || status === 503 || status === 529) {
    return new ModelFailure('busy', said, secondsOf(retryAfter, speaker.now()))
  }
  if (status === 404) return new ModelFailure('refused', `${said} Check AI:Provider:BaseUrl and the model's name.`)
  if (status === 408 || status === 504) return new ModelFailure('late', said)
  return new ModelFailure(status >= 400 && status < 500 ? 'refused' : 'broken', said)
}

export function quoted(words: string, { apiKey }: Pick<Speaker, 'apiKey'>): string {
  const hidden = apiKey === undefined || apiKey === '' ? words : words.replaceAll(apiKey, HIDDEN)
  const plain = hidden.replace(/[\p{C}\s]+/gu, ' ').trim()
  if (plain === '') return '.'
  return plain.length > MOST_WORDS ? `: "${plain.slice(0, MOST_WORDS)}…".` : `: "${plain}".`
}

/** `Retry-After` in both its forms: seconds, or the moment itself. */
export function secondsOf(header: string | undefined, now: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d{1,9}(\.\d{1,9})?$/.test(text)) return Math.min(DAY_SECONDS, Math.ceil(Number(text)))
  const moment = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(moment)) return null
  return Math.min(DAY_SECONDS, Math.max(0, Math.ceil((moment - now) / 1000)))
}

/** The words of an error in the shapes that providers use: `{error: {message}}`, `{error: "…"}`, `{message}`, `{detail}`. */
export function wordsOf(answer: unknown): string {
  if (typeof answer === 'string') return answer
  if (typeof answer !== 'object' || answer === null) return ''
  const { error, message, detail } = answer as { error?: unknown; message?: unknown; detail?: unknown }
  return [error, message, detail].map((one) => (one === undefined ? '' : wordsOf(one))).find((one) => one !== '') ?? ''
}

/** The connection itself failed: its own error may hold what was sent, so only its code is kept. */
export function connectionFailure(error: unknown, answering: boolean, { at }: Speaker): ModelFailure {
  const code = codeOf(error)
  if (answering) return new ModelFailure('broken', `The model provider at ${at} broke its answer off (${code}).`)
  return new ModelFailure(
    'unreachable',
    `The model provider at ${at} was not reached (${code}): check AI:Provider:BaseUrl and the way there.`,
  )
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  const own = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return own ?? (error.cause === undefined ? error.name : codeOf(error.cause))
}
