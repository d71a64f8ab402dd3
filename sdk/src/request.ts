import { backoff, type Line, pause } from './line.ts'
import { newKey } from './new-key.ts'
import { KEYED, type Operations } from './operations.ts'
import { errorOf, isLost, TetherError } from './tether-error.ts'

export type Operation = keyof Operations
export type AnswerOf<Name extends Operation> = Operations[Name]['answer']
export type RequestOf<Name extends Operation> = Operations[Name]['request'] & {
  readonly signal?: AbortSignal | undefined
}
/** The request may be left out where it needs nothing. */
export type Given<Name extends Operation> =
  Record<never, never> extends RequestOf<Name> ? [request?: RequestOf<Name>] : [request: RequestOf<Name>]

/** A request, its types erased: the compiler has held them against the operation. */
export type Asked = {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

/** Sends it again where that cannot do anything twice, and answers what came, whatever its status. */
export async function exchange(
  line: Line,
  operation: string,
  asked: Asked,
): Promise<{ response: Response; body: unknown }> {
  const { signal } = asked
  const headers = KEYED.includes(operation) ? { 'Idempotency-Key': await newKey(), ...asked.headers } : asked.headers
  const mayRepeat = /^(GET|PUT) /.test(operation) || KEYED.includes(operation)
  const sending = { operation, path: pathOf(operation, asked), headers, body: asked.body, signal }
  for (let attempt = 0; ; attempt++) {
    let wait: number | null
    try {
      const response = await line.send(sending)
      wait = (await isNotStaged(response)) ? null : waitAfter(response, line, mayRepeat)
      if (wait === null || attempt >= line.retries) return { response, body: await bodyOf(line, operation, response) }
    } catch (error) {
      if (!(error instanceof TetherError) || !isLost(error) || !mayRepeat || attempt >= line.retries) throw error
      wait = 0
    }
    await pause(wait || backoff(attempt), signal)
  }
}

/** As `exchange`, and everything but success is thrown. */
export async function request(line: Line, operation: string, asked: Asked = {}): Promise<unknown> {
  const { response, body } = await exchange(line, operation, asked)
  if (response.ok) return body
  throw errorOf(operation, response, body)
}

/**
 * How long to wait before it is sent again, or null if it is not. 429 has done nothing, whatever was asked; the others may have, and
 * only what may be repeated is.
 */
function waitAfter({ status, headers }: Response, { longestWaitMs }: Line, mayRepeat: boolean): number | null {
  if (status !== 429 && !(mayRepeat && (status === 502 || status === 503 || status === 504))) return null
  const asked = headers.get('retry-after')
  const seconds = Number(asked ?? 0)
  const wait = Number.isNaN(seconds) ? Date.parse(asked ?? '') - Date.now() : seconds * 1000
  return wait <= longestWaitMs ? Math.max(0, wait) : null
}

/** 502 of the service itself says what came of a check that it has made as often as it may: asking again changes nothing. */
async function isNotStaged(response: Response): Promise<boolean> {
  if (response.status !== 502) return false
  const said = (await response
    .clone()
    .json()
    .catch(() => null)) as { status?: unknown } | null
  return typeof said?.status === 'string' && 'toolName' in said
}

async function bodyOf({ json }: Line, operation: string, response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('text/event-stream')) return response.body
  const text = await response.text()
  if (!type.startsWith('application/json') || text === '') return text
  try {
    return json.parse(text)
  } catch (cause) {
    const { status } = response
    const requestId = response.headers.get('x-request-id')
    throw new TetherError(`${operation} answered something that is not JSON.`, {
      code: 'unexpected_answer',
      operation,
      status,
      requestId,
      cause,
    })
  }
}

function pathOf(operation: string, { params = {}, query = {} }: Asked): string {
  const path = operation.slice(operation.indexOf(' ') + 1).replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(params, name) ? params[name] : undefined
    if (value === undefined || value === '') throw new TypeError(`${operation} needs "params.${name}".`)
    return encodeURIComponent(String(value))
  })
  const asked = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) asked.set(name, String(value))
  const text = String(asked)
  return text === '' ? path : `${path}?${text}`
}
