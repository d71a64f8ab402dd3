// One adapter over the AI SDK's provider packages: it turns their stream of one round into our parts. Their errors may
// hold the whole conversation, so we never pass them on and throw a failure of our own instead.
import { AISDKError, APICallError, type LanguageModelV4, type SharedV4ProviderMetadata } from '@ai-sdk/provider'
import { type Limits, openWatch } from '../deadlines.ts'
import { connectionFailure, errorWords, failureOf, quoted, type Speaker } from '../failures.ts'
import { type ClosableModel, type FinishReason, ModelFailure, type ModelPart, type ModelRequest } from '../port.ts'
import { gatherCalls } from '../whole-calls.ts'
import { type Asides, callOptions } from './prompt.ts'
import { HOME, loadProvider, type ModelProvider, type ProviderAddress } from './providers.ts'

type StreamPart =
  Awaited<ReturnType<LanguageModelV4['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never
type ToolCallPart = Extract<StreamPart, { type: 'tool-call' }>
type FinishPart = Extract<StreamPart, { type: 'finish' }>

export type AiSdkOptions = Limits & ProviderAddress & { now(): number }

const MOST_TEXT = 1_048_576

export function openAiSdk(options: AiSdkOptions): ClosableModel {
  const { kind, baseUrl = HOME[options.kind], apiKey, now } = options
  const speaker: Speaker = { at: new URL(baseUrl).origin, apiKey, now, section: 'AI:Provider' }
  const asides: Asides = new WeakMap()
  let provider: Promise<ModelProvider> | undefined

  async function* stream(request: ModelRequest, caller: AbortSignal): AsyncGenerator<ModelPart> {
    const watch = openWatch(caller, options)
    const reading = openReading(request, speaker, asides)
    let parts: ReadableStreamDefaultReader<StreamPart> | undefined
    try {
      provider ??= loadProvider(options)
      const model = (await provider).model(request.model)
      const asked = { ...callOptions(request, asides), abortSignal: watch.signal }
      parts = (await watch.during(model.doStream(asked))).stream.getReader()
      for (;;) {
        const { done, value } = await watch.during(parts.read())
        if (done) break
        const text = reading.take(value)
        if (text !== '') yield { type: 'text', text }
      }
      yield* reading.end()
    } catch (error) {
      throw watch.reason() ?? translated(error, parts !== undefined, speaker)
    } finally {
      watch.close()
      parts?.cancel().catch(() => {})
    }
  }
  return { kind, stream, close: async () => (await provider)?.close() }
}

function openReading({ messages }: ModelRequest, speaker: Speaker, asides: Asides) {
  const begun: string[] = []
  const whole: ToolCallPart[] = []
  let given = 0
  let finish: FinishPart | undefined
  return {
    /** Returns the text that this part adds. */
    take(part: StreamPart): string {
      if (part.type === 'error') throw part.error
      if (part.type === 'tool-input-start') begun.push(part.id)
      if (part.type === 'tool-call' && part.providerExecuted !== true) whole.push(part)
      if (part.type === 'finish') finish = part
      if (part.type !== 'text-delta') return ''
      given += part.delta.length
      if (given > MOST_TEXT)
        throw new ModelFailure('broken', `The model's answer has more than ${MOST_TEXT} characters.`)
      return part.delta
    },
    end(): ModelPart[] {
      if (finish === undefined) throw new ModelFailure('broken', "The model's answer ended before it was complete.")
      const reason = finishReasonOf(finish, whole.length, speaker)
      const used = messages.flatMap((one) => (one.role === 'assistant' ? (one.calls ?? []).map(({ id }) => id) : []))
      return [
        ...callParts(inOrder(whole, begun), reason, new Set(used), asides),
        ...usageParts(finish),
        { type: 'finish', reason },
      ]
    },
  }
}

function inOrder(whole: readonly ToolCallPart[], begun: readonly string[]): ToolCallPart[] {
  const place = ({ toolCallId }: ToolCallPart): number => {
    const at = begun.indexOf(toolCallId)
    return at === -1 ? begun.length : at
  }
  return whole.toSorted((one, other) => place(one) - place(other))
}

function callParts(
  calls: readonly ToolCallPart[],
  reason: FinishReason,
  used: ReadonlySet<string>,
  asides: Asides,
): ModelPart[] {
  const gathered = gatherCalls(used)
  const said = new Map<string, SharedV4ProviderMetadata>()
  for (const [index, { toolCallId: id, toolName: name, input, providerMetadata }] of calls.entries()) {
    gathered.take({ index, id, name, arguments: input })
    if (providerMetadata !== undefined) said.set(id, providerMetadata)
  }
  return gathered.end(reason).map((call) => {
    const aside = said.get(call.id)
    if (aside !== undefined) asides.set(call, aside)
    return { type: 'call', call }
  })
}

function usageParts({ usage }: FinishPart): ModelPart[] {
  const [inputTokens, outputTokens] = [usage.inputTokens.total, usage.outputTokens.total]
  return inputTokens === undefined || outputTokens === undefined
    ? []
    : [{ type: 'usage', usage: { inputTokens, outputTokens } }]
}

function finishReasonOf({ finishReason }: FinishPart, calls: number, { at }: Speaker): FinishReason {
  switch (finishReason.unified) {
    case 'length':
      return 'length'
    case 'content-filter':
      return 'filtered'
    case 'error':
    case 'interrupted':
      throw new ModelFailure('broken', `The model provider at ${at} broke off its answer.`)
    default:
      return calls > 0 ? 'calls' : 'stop'
  }
}

function translated(error: unknown, answering: boolean, speaker: Speaker): ModelFailure {
  if (error instanceof ModelFailure) return error
  if (isUnreadable(error)) return unreadable(speaker)
  if (!APICallError.isInstance(error))
    return answering ? brokenOff(error, speaker) : connectionFailure(error, false, speaker)
  // A failed connection arrives as an error without a status; an error inside a stream has the stream's status, 200.
  const { statusCode, responseHeaders, message } = error
  if (statusCode === undefined) return connectionFailure(error.cause ?? error, answering, speaker)
  if (statusCode === 200) return brokenOff(error.data ?? message, speaker)
  return failureOf({ status: statusCode, words: message, retryAfter: responseHeaders?.['retry-after'] }, speaker)
}

/** The packages quote what they could not read, and that may be a part of the conversation. */
const isUnreadable = (error: unknown): boolean =>
  AISDKError.isInstance(error) ? !APICallError.isInstance(error) : isPlain(error)

/** One that a package made itself: a connection's has a code, or a cause that has one. */
const isPlain = (error: unknown): boolean =>
  error instanceof Error && error.name === 'Error' && !('code' in error) && error.cause === undefined

const unreadable = ({ at }: Speaker): ModelFailure =>
  new ModelFailure(
    'broken',
    `The model provider at ${at} sent something that is not an answer of its kind. Check AI:Provider:Kind and AI:Provider:BaseUrl.`,
  )

function brokenOff(error: unknown, speaker: Speaker): ModelFailure {
  const words = errorWords(error)
  const isBusy = /overloaded|rate.?limit|429|529/i.test(errorKindOf(error))
  const message = `The model provider at ${speaker.at} broke off its answer${quoted(words, speaker)}`
  return new ModelFailure(isBusy ? 'busy' : 'broken', message)
}

function errorKindOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  const { type, code, error: inner } = error as { type?: unknown; code?: unknown; error?: unknown }
  return `${String(type ?? '')} ${String(code ?? '')} ${errorKindOf(inner)}`
}
