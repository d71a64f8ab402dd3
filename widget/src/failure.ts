import type { Words } from './words.ts'

/** A refusal of the service, with its code. Status 0 means that the connection was lost. */
export type Failure = Error & { readonly status: number; readonly retryAfter: number }

export const failure = (code: string, status = 0, retryAfter = 0): Failure =>
  Object.assign(new Error(code), { status, retryAfter })

export async function failureOf(response: Response): Promise<Failure> {
  const { error } = (await response.json().catch(() => ({}))) as { error?: { code?: string } }
  return failure(error?.code ?? '', response.status, Number(response.headers.get('retry-after')))
}

/** Returns the words for the visitor, with the code if somebody else must act on it. */
export function wordsFor(error: unknown, words: Words): string {
  if (!navigator.onLine) return words.offline
  const { message, retryAfter } = error as Failure
  if (/^rate_limited$/i.test(message)) return words.busy.replace('{}', `${retryAfter || 60}`)
  if (/quota|budget/i.test(message)) return words.resting
  if (message === 'invalid_customer_token') return words.signIn
  if (/origin|_key|scope/.test(message)) return `${words.setup} (${message})`
  return words.failed
}
