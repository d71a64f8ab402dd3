import type { Schemas } from '../../../sdk/src/index.ts'

export type Delivered = Schemas['Listened']['requests'][number]
export type Answered = Schemas['ListenAnswers']['answers'][number]

/** More than the service takes of an answer, so that what is cut here is refused there as too large. */
const MOST_CHARACTERS = 300_000
/** What the service takes. One that it refused would be sent again and again, and no other answer after it. */
const IS_TYPE = /^[\x20-\x7e]{1,200}$/
const isStatus = (status: number): boolean => status >= 200 && status <= 599
/** Longer than the service waits. */
const TIMEOUT_MS = 30_000

/** Hands one request to the machine's server, to the byte and with its signatures, and says what that answered. */
export async function forward(target: string, { number, headers, body }: Delivered, ask = fetch): Promise<Answered> {
  try {
    const response = await ask(target, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await response.text()
    const type = response.headers.get('content-type') ?? ''
    // A redirect is not followed by the service either.
    return {
      number,
      status: isStatus(response.status) ? response.status : 502,
      ...(IS_TYPE.test(type) ? { type } : {}),
      body: text.slice(0, MOST_CHARACTERS),
    }
  } catch (error) {
    return { number, ...failed(target, error) }
  }
}

/** Of a receiver, 429 means that nothing was applied. That is certain where nothing was there. */
const causeOf = (error: unknown): { code?: string; message?: string } =>
  (error as { cause?: { code?: string; message?: string } }).cause ?? {}

const NOTHING_THERE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'])

function failed(target: string, error: unknown): Pick<Answered, 'status' | 'body'> {
  const { code, message: why } = causeOf(error)
  // `fetch` sends nothing to the ports of other protocols.
  const isAbsent = NOTHING_THERE.has(code ?? '') || why === 'bad port'
  const message = isAbsent ? `Nothing answers at ${target}.` : `${target} broke off without an answer.`
  return { status: isAbsent ? 429 : 502, body: JSON.stringify({ status: 'try_later', message }) }
}
