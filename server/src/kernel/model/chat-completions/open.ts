import { type ClosableModel, ModelFailure, type ModelPart, type ModelRequest } from '../port.ts'
import { type Exchange, openProvider, type ProviderOptions, readBody, refusalOf } from '../provider-exchange.ts'
import { openEventReader } from './event-reader.ts'
import { requestBody } from './request-body.ts'
import { openRound, type Round } from './round.ts'

/** How long to wait for the usage after the model said why it ended. */
const AFTER_END_MS = 2_000
const MOST_EVENT = 2_097_152
const MOST_BYTES = 67_108_864
const MOST_ERROR_BYTES = 65_536

type Body = Awaited<ReturnType<Exchange['post']>>['body']
type Answering = { readonly caller: AbortSignal; readonly watch: Exchange['watch']; readonly body: Body }

export function openChatCompletions(options: ProviderOptions): ClosableModel {
  const accept = 'text/event-stream, application/json'
  const { speaker, begin, close } = openProvider(options, { path: '/chat/completions', accept, section: 'AI:Provider' })

  async function* stream(request: ModelRequest, caller: AbortSignal): AsyncGenerator<ModelPart> {
    const exchange = begin(caller)
    const { watch } = exchange
    try {
      const response = await exchange.post(requestBody(request))
      const { body } = response
      if (response.statusCode !== 200)
        throw refusalOf(response, (await readBody(body, watch, MOST_ERROR_BYTES)).text, speaker)
      yield* readAnswer({ caller, watch, body }, openRound(idsOf(request), speaker))
    } catch (error) {
      throw exchange.failure(error)
    } finally {
      exchange.close()
    }
  }
  return { kind: 'openai-compatible', stream, close }
}

const idsOf = ({ messages }: ModelRequest): ReadonlySet<string> =>
  new Set(
    messages.flatMap((message) => (message.role === 'assistant' ? (message.calls ?? []).map(({ id }) => id) : [])),
  )

async function* readAnswer(asked: Answering, round: Round): AsyncGenerator<ModelPart> {
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
async function* decodedTexts({ watch, body }: Answering): AsyncGenerator<string> {
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
