// Reads one answer in the format of Chat Completions, chunk by chunk. An answer that came all at once is one chunk.
import { isObject, type Json, type JsonObject, member, parseJson, stringifyJson } from '../../json/index.ts'
import { errorWords, quoted, type Speaker } from '../failures.ts'
import { type FinishReason, ModelFailure, type ModelPart, type ModelUsage } from '../port.ts'
import { type CallPiece, gatherCalls } from '../whole-calls.ts'

export type Round = {
  /** Takes one event's data and returns the text that it adds. */
  take(data: string): string
  /** True once the model has said why it ended, so that only the usage can still follow. */
  readonly hasReason: boolean
  /** True once `[DONE]` has come. */
  readonly isDone: boolean
  /** Returns the parts that are held back until the end. */
  end(): ModelPart[]
}

const MOST_TEXT = 1_048_576
const DONE = '[DONE]'

export function openRound(used: ReadonlySet<string>, speaker: Speaker): Round {
  const calls = gatherCalls(used)
  let given = 0
  let reason: string | undefined
  let usage: ModelUsage | undefined
  let isDone = false
  let isEmpty = true

  function takeChoice(choice: JsonObject, data: string): string {
    reason = textMember(choice, 'finish_reason') ?? reason
    const said = member(choice, 'delta') ?? member(choice, 'message')
    if (!isObject(said)) return ''
    for (const [place, call] of objectsIn(said, 'tool_calls').entries()) calls.take(pieceOf(call, place, data))
    return answerText(member(said, 'content')) || (textMember(said, 'refusal') ?? '')
  }

  return {
    get hasReason() {
      return reason !== undefined
    },
    get isDone() {
      return isDone
    },
    take(data) {
      if (data.startsWith(DONE)) {
        isDone = true
        return ''
      }
      const chunk = readChunk(data)
      isEmpty = false
      const error = chunk.error
      if (error !== undefined && error !== null && error !== false) throw inStream(error, speaker)
      usage = usageOf(chunk.usage) ?? usage
      const choice = objectsIn(chunk, 'choices').find((one) => (member(one, 'index') ?? 0) === 0)
      const text = choice === undefined ? '' : takeChoice(choice, data)
      given += text.length
      if (given > MOST_TEXT)
        throw new ModelFailure('broken', `The model's answer has more than ${MOST_TEXT} characters.`)
      return text
    },
    end() {
      if (isEmpty) {
        const words = `The answer of ${speaker.at} does not have the format of Chat Completions. Check AI:Provider:BaseUrl.`
        throw new ModelFailure('broken', words)
      }
      const finish = finishOf(reason, calls.count, given, isDone)
      const whole = calls.end(finish)
      return [
        ...whole.map((call): ModelPart => ({ type: 'call', call })),
        ...(usage === undefined ? [] : [{ type: 'usage' as const, usage }]),
        { type: 'finish', reason: finish },
      ]
    },
  }
}

function readChunk(data: string): JsonObject {
  let value: Json
  try {
    value = JSON.parse(data)
  } catch {
    throw new ModelFailure(
      'broken',
      'The model provider sent an event that is not JSON. Its answer was cut off, or something else answered.',
    )
  }
  if (isObject(value)) return value
  throw new ModelFailure('broken', 'The model provider sent an event that is not a JSON object.')
}

function objectsIn(object: JsonObject, name: string): JsonObject[] {
  const list = member(object, name)
  return Array.isArray(list) ? list.filter(isObject) : []
}

function textMember(object: JsonObject, name: string): string | undefined {
  const value = member(object, name)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The content is text or a list of parts. Only parts of text count, because a model's reasoning is not its answer. */
function answerText(content: Json | undefined): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .filter(isObject)
    .map((part) => (member(part, 'type') === 'text' ? (textMember(part, 'text') ?? '') : ''))
    .join('')
}

function pieceOf(call: JsonObject, place: number, data: string): CallPiece {
  const about = member(call, 'function')
  const fields = isObject(about) ? about : {}
  const index = member(call, 'index')
  const given = member(fields, 'arguments')
  return {
    index: typeof index === 'number' ? index : undefined,
    id: textMember(call, 'id'),
    name: textMember(fields, 'name'),
    arguments:
      typeof given === 'string'
        ? given
        : given === undefined || given === null
          ? ''
          : exactArguments(data, place, given),
  }
}

/** Rereads arguments that came as an object, so that their numbers stay as they were written. */
function exactArguments(data: string, place: number, read: Json): string {
  const chunk = parseJson(data)
  const choice = isObject(chunk)
    ? objectsIn(chunk, 'choices').find((one) => (member(one, 'index') ?? 0) === 0)
    : undefined
  const said = choice && (member(choice, 'delta') ?? member(choice, 'message'))
  const call = isObject(said) ? objectsIn(said, 'tool_calls')[place] : undefined
  const about = call && member(call, 'function')
  return stringifyJson((isObject(about) ? member(about, 'arguments') : undefined) ?? read)
}

function usageOf(usage: Json | undefined): ModelUsage | undefined {
  if (!isObject(usage)) return undefined
  const [inputTokens, outputTokens] = [member(usage, 'prompt_tokens'), member(usage, 'completion_tokens')]
  return isCount(inputTokens) && isCount(outputTokens) ? { inputTokens, outputTokens } : undefined
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

function inStream(error: Json, speaker: Speaker): ModelFailure {
  const kinds = isObject(error) ? [member(error, 'code'), member(error, 'type')].map(String).join(' ') : ''
  const isBusy = /429|503|529|rate_limit|overloaded|too_many/i.test(kinds)
  const words = `The model provider at ${speaker.at} broke off its answer${quoted(errorWords(error), speaker)}`
  return new ModelFailure(isBusy ? 'busy' : 'broken', words)
}

const CUT = new Set(['length', 'max_tokens'])
const FILTERED = new Set(['content_filter', 'safety'])

function finishOf(reason: string | undefined, calls: number, given: number, isDone: boolean): FinishReason {
  if (reason === undefined && !(isDone && (calls > 0 || given > 0))) {
    throw new ModelFailure('broken', "The model's answer ended before it was complete.")
  }
  const word = reason?.toLowerCase() ?? ''
  if (CUT.has(word)) return 'length'
  if (FILTERED.has(word)) return 'filtered'
  // If there are calls, they count, because some providers end them with "stop".
  return calls > 0 ? 'calls' : 'stop'
}
