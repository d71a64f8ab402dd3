import type { Schemas } from '../../../sdk/src/index.ts'

export type Delivered = Schemas['Listened']['requests'][number]
export type Answered = Schemas['ListenAnswers']['answers'][number]

/** More than the service takes of an answer, so that what is cut here is refused there as too large. */
const MOST_CHARACTERS = 300_000
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
    const type = response.headers.get('content-type') ?? undefined
    // A redirect is not followed by the service either, and a status below 200 is no answer.
    return {
      number,
      status: response.status,
      ...(type === undefined ? {} : { type }),
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
