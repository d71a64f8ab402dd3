// Says what a provider's refusal means to us. Its own words help the operator (a wrong model name, a context too long),
// so we keep a short part of them, but never if they speak of the key, and never the key itself.
import { ModelFailure } from './port.ts'

const MOST_WORDS = 200
const DAY_SECONDS = 86_400
const KEY_MASK = '***'

type ProviderRefusal = {
  readonly status: number
  /** The provider's own words, if there are any. */
  readonly words: string
  readonly retryAfter: string | undefined
}

export type Speaker = {
  /** The provider's origin, without a path or a secret. */
  readonly at: string
  readonly apiKey: string | undefined
  now(): number
  /** The settings by which it is reached. */
  readonly section: 'AI:Provider' | 'AI:Embeddings'
}

export function failureOf({ status, words, retryAfter }: ProviderRefusal, speaker: Speaker): ModelFailure {
  const { at, section } = speaker
  if (status === 401 || status === 403) {
    return new ModelFailure(
      'refused',
      `The model provider at ${at} refused our key (status ${status}). Check ${section}:ApiKey.`,
    )
  }
  if (status >= 300 && status < 400) {
    return new ModelFailure(
      'refused',
      `The model provider at ${at} redirects (status ${status}), but we do not send the key elsewhere. Set ${section}:BaseUrl to where it redirects.`,
    )
  }
  const answered = `The model provider at ${at} answered ${status}${quoted(words, speaker)}`
  if (status === 429 || status === 503 || status === 529) {
    return new ModelFailure('busy', answered, secondsOf(retryAfter, speaker.now()))
  }
  if (status === 404) return new ModelFailure('refused', `${answered} Check ${section}:BaseUrl and the model's name.`)
  if (status === 408 || status === 504) return new ModelFailure('late', answered)
  return new ModelFailure(status >= 400 && status < 500 ? 'refused' : 'broken', answered)
}

export function quoted(words: string, { apiKey }: Pick<Speaker, 'apiKey'>): string {
  const hidden = apiKey === undefined || apiKey === '' ? words : words.replaceAll(apiKey, KEY_MASK)
  const plain = hidden.replace(/[\p{C}\s]+/gu, ' ').trim()
  if (plain === '') return '.'
  return plain.length > MOST_WORDS ? `: "${plain.slice(0, MOST_WORDS)}…".` : `: "${plain}".`
}

/** Reads both forms of `Retry-After`: a number of seconds, or a date. */
function secondsOf(header: string | undefined, now: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d{1,9}(\.\d{1,9})?$/.test(text)) return Math.min(DAY_SECONDS, Math.ceil(Number(text)))
  const moment = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(moment)) return null
  return Math.min(DAY_SECONDS, Math.max(0, Math.ceil((moment - now) / 1000)))
}

/**
 * Finds an error's words in the shapes that providers use: `{error: {message}}`, `{error: "…"}`, `{message}`,
 * `{detail}`.
 */
export function errorWords(answer: unknown): string {
  if (typeof answer === 'string') return answer
  if (typeof answer !== 'object' || answer === null) return ''
  const { error, message, detail } = answer as { error?: unknown; message?: unknown; detail?: unknown }
  return (
    [error, message, detail].map((one) => (one === undefined ? '' : errorWords(one))).find((one) => one !== '') ?? ''
  )
}

/** For a connection that failed. Its own error may hold what we sent, so we keep only its code. */
export function connectionFailure(error: unknown, answering: boolean, { at, section }: Speaker): ModelFailure {
  const code = errorCodeOf(error)
  if (answering) return new ModelFailure('broken', `The model provider at ${at} broke off its answer (${code}).`)
  return new ModelFailure(
    'unreachable',
    `The model provider at ${at} could not be reached (${code}). Check ${section}:BaseUrl and the network.`,
  )
}

function errorCodeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  const own = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return own ?? (error.cause === undefined ? error.name : errorCodeOf(error.cause))
}
