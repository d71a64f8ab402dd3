import type { Words } from './words.ts'

/** The service said no, by a code of its table; or nothing was heard of it any more. */
export class Failure extends Error {
  readonly status: number
  readonly retryAfter: number

  constructor(code: string, status = 0, retryAfter = 0) {
    super(code)
    this.status = status
    this.retryAfter = retryAfter
  }
}

export async function failureOf(response: Response): Promise<Failure> {
  const { error } = (await response.json().catch(() => ({}))) as { error?: { code?: string } }
  return new Failure(error?.code ?? '', response.status, Number(response.headers.get('retry-after')))
}

/** What the visitor is told. A code stands beside the words where somebody else has to act on it. */
export function wordsFor(error: unknown, words: Words): string {
  if (!navigator.onLine) return words.offline
  const { message, retryAfter } = error as Failure
  if (/^rate_limited$/i.test(message)) return words.busy.replace('{}', `${retryAfter || 60}`)
  if (/quota|budget/i.test(message)) return words.resting
  if (message === 'invalid_customer_token') return words.signIn
  if (/origin|_key|scope/.test(message)) return `${words.setup} (${message})`
  return words.failed
}
