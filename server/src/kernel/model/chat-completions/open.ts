// Talks to a provider of Chat Completions over undici itself. The operator sets the address, so it may be on a private
// network. We follow no redirects, check TLS, and send the key only in its header.
import { Agent, type Dispatcher } from 'undici'
import { type Limits, openWatch, type Watch } from '../deadlines.ts'
import { connectionFailure, errorWords, failureOf, type Speaker } from '../failures.ts'
import { type ClosableModel, ModelFailure, type ModelPart, type ModelRequest } from '../port.ts'
import { openEventReader } from './event-reader.ts'
import { requestBody } from './request-body.ts'
import { openRound, type Round } from './round.ts'

export type ChatCompletionsOptions = Limits & {
  /** The address in front of `/chat/completions`. */
  readonly baseUrl: string
  readonly apiKey: string | undefined
  now(): number
}

const CONNECT_MS = 10_000
/** How long to wait for the usage after the model said why it ended. */
const AFTER_END_MS = 2_000
const MOST_EVENT = 2_097_152
const MOST_BYTES = 67_108_864
const MOST_ERROR_BYTES = 65_536

type Body = Dispatcher.ResponseData['body']
type OpenRequest = {
  readonly caller: AbortSignal
  readonly speaker: Speaker
  readonly watch: Watch
  readonly body: Body
}

export function openChatCompletions(options: ChatCompletionsOptions): ClosableModel {
  const { baseUrl, apiKey, now } = options
  // Explicit, because an environment variable can turn the default off.
  const connect = { timeout: CONNECT_MS, rejectUnauthorized: true }
  const agent = new Agent({ allowH2: false, headersTimeout: 0, bodyTimeout: 0, connect })
  const speaker: Speaker = { at: new URL(baseUrl).origin, apiKey, now, section: 'AI:Provider' }
  const url = `${baseUrl.replace(/\/+$/, '')}/chat/completions`
  const headers = {
    'content-type': 'application/json',
    accept: 'text/event-stream, application/json',
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  }

  async function* stream(request: ModelRequest, caller: AbortSignal): AsyncGenerator<ModelPart> {
    const watch = openWatch(caller, options)
    let body: Body | undefined
    try {
      const { signal } = watch
      const response = await watch.during(
        agent.request({ ...split(url), method: 'POST', headers, body: requestBody(request), signal }),
      )
      body = response.body
      // A reader that stops destroys the body, which then emits an error that nobody waits for.
      body.on('error', () => {})
      const asked = { caller, speaker, watch, body }
      if (response.statusCode !== 200) throw await refusal(response, asked)
      yield* readAnswer(asked, openRound(idsOf(request), speaker))
    } catch (error) {
      throw (
        watch.reason() ??
        (error instanceof ModelFailure ? error : connectionFailure(error, body !== undefined, speaker))
      )
    } finally {
      watch.close()
      body?.destroy()
    }
  }
  return { kind: 'openai-compatible', stream, close: () => agent.destroy() }
}

function split(url: string): { origin: string; path: string } {
  const { origin, pathname, search } = new URL(url)
  return { origin, path: `${pathname}${search}` }
}

const idsOf = ({ messages }: ModelRequest): ReadonlySet<string> =>
  new Set(
    messages.flatMap((message) => (message.role === 'assistant' ? (message.calls ?? []).map(({ id }) => id) : [])),
  )

async function* readAnswer(asked: OpenRequest, round: Round): AsyncGenerator<ModelPart> {
  let read: Reader | undefined
  try {
    for await (const text of decodedTexts(asked)) {
      if (read === undefined && text.trim() === '') continue
      read ??= readerFor(text)
      const said = read.take(text).map(round.take).join('')
      if (said !== '') yield { type: 'text', text: said }
      if (round.isDone) break
      if (round.hasReason) asked.watch.within(AFTER_END_MS)
    }
  } catch (error) {
    if (!round.hasReason || (error instanceof ModelFailure && error.kind !== 'late')) throw error
    // The answer is complete; only the usage may be missing.
    asked.caller.throwIfAborted()
  }
  const said = round.isDone ? '' : (read?.end() ?? []).map(round.take).join('')
  if (said !== '') yield { type: 'text', text: said }
  yield* round.end()
}

type Reader = { take(text: string): string[]; end(): string[] }

/** No line of an event stream begins with a brace, so such a provider does not stream but answers all at once. */
const readerFor = (first: string): Reader =>
  first.trimStart().startsWith('{') ? openWholeReader() : openEventReader(MOST_EVENT)

function openWholeReader(): Reader {
  let whole = ''
  return {
    take(text) {
      whole += text
      if (whole.length <= MOST_EVENT) return []
      throw new ModelFailure('broken', `The model's answer has more than ${MOST_EVENT} characters.`)
    },
    end: () => [whole],
  }
}

/** Yields the answer's text as it arrives, and joins characters whose bytes came in separate pieces. */
async function* decodedTexts({ watch, body }: OpenRequest): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let bytes = 0
  const chunks = body[Symbol.asyncIterator]()
  for (;;) {
    const next = await watch.during(chunks.next())
    if (next.done === true) break
    const chunk: Buffer = next.value
    bytes += chunk.length
    if (bytes > MOST_BYTES) throw new ModelFailure('broken', `The model's answer has more than ${MOST_BYTES} bytes.`)
    const text = decoder.decode(chunk, { stream: true })
    if (text !== '') yield text
  }
  const rest = decoder.decode()
  if (rest !== '') yield rest
}

async function refusal({ statusCode, headers, body }: Dispatcher.ResponseData, { speaker, watch }: OpenRequest) {
  const retryAfter = headers['retry-after']
  const words = await readErrorWords(body, watch)
  return failureOf({ status: statusCode, words, retryAfter: [retryAfter].flat()[0] }, speaker)
}

async function readErrorWords(body: Body, watch: Watch): Promise<string> {
  const pieces: Buffer[] = []
  let bytes = 0
  const chunks = body[Symbol.asyncIterator]()
  for (let next = await watch.during(chunks.next()); next.done !== true; next = await watch.during(chunks.next())) {
    const piece: Buffer = next.value
    pieces.push(piece)
    bytes += piece.length
    if (bytes > MOST_ERROR_BYTES) break
  }
  const text = Buffer.concat(pieces).toString()
  try {
    return errorWords(JSON.parse(text))
  } catch {
    return text
  }
}
