// One answer in the format of Chat Completions, chunk by chunk; an answer that came whole is one chunk.
import { isObject, type Json, type JsonObject, member, parseJson, stringifyJson } from '../../json/index.ts'
import { quoted, type Speaker, wordsOf } from '../failures.ts'
import { type FinishReason, ModelFailure, type ModelPart, type ModelUsage } from '../port.ts'
import { type CallPiece, gatherCalls } from '../whole-calls.ts'

export type Round = {
  /** Takes one event's data and answers the text that it adds. */
  take(data: string): string
  /** The model said why it ended: only the usage can still follow. */
  readonly hasReason: boolean
  /** `[DONE]` came. */
  readonly isDone: boolean
  /** What was held back until the end. */
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
    reason = textOf(choice, 'finish_reason') ?? reason
    const said = member(choice, 'delta') ?? member(choice, 'message')
    if (!isObject(said)) return ''
    for (const [place, call] of listOf(said, 'tool_calls').entries()) calls.take(pieceOf(call, place, data))
    return contentOf(member(said, 'content')) || (textOf(said, 'refusal') ?? '')
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
      const choice = listOf(chunk, 'choices').find((one) => (member(one, 'index') ?? 0) === 0)
      const text = choice === undefined ? '' : takeChoice(choice, data)
      given += text.length
      if (given > MOST_TEXT) throw new ModelFailure('broken', `The model's answer has over ${MOST_TEXT} characters.`)
      return text
    },
    end() {
      if (isEmpty) {
        const words = `What ${speaker.at} answered is not in the format of Chat Completions: check AI:Provider:BaseUrl.`
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
      'The model provider sent an event that is no JSON: its answer was cut, or it is none.',
    )
  }
  if (isObject(value)) return value
  throw new ModelFailure('broken', 'The model provider sent an event that is no JSON object.')
}

function listOf(object: JsonObject, name: string): JsonObject[] {
  const list = member(object, name)
  return Array.isArray(list) ? list.filter(isObject) : []
}

function textOf(object: JsonObject, name: string): string | undefined {
  const value = member(object, name)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A text, or parts of which only those of text count: what a model thinks to itself is nobody's answer. */
function contentOf(content: Json | undefined): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .filter(isObject)
    .map((part) => (member(part, 'type') === 'text' ? (textOf(part, 'text') ?? '') : ''))
    .join('')
}

function pieceOf(call: JsonObject, place: number, data: string): CallPiece {
  const about = member(call, 'function')
  const fields = isObject(about) ? about : {}
  const index = member(call, 'index')
  const given = member(fields, 'arguments')
  return {
    index: typeof index === 'number' ? index : undefined,
    id: textOf(call, 'id'),
    name: textOf(fields, 'name'),
    arguments:
      typeof given === 'string' ? given : given === undefined || given === null ? '' : exactly(data, place, given),
  }
}

/** Arguments that came as an object: read again with their numbers as they were written. */
function exactly(data: string, place: number, read: Json): string {
  const chunk = parseJson(data)
  const choice = isObject(chunk) ? listOf(chunk, 'choices').find((one) => (member(one, 'index') ?? 0) === 0) : undefined
  const said = choice && (member(choice, 'delta') ?? member(choice, 'message'))
  const call = isObject(said) ? listOf(said, 'tool_calls')[place] : undefined
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
  const words = `The model provider at ${speaker.at} broke its answer off${quoted(wordsOf(error), speaker)}`
  return new ModelFailure(isBusy ? 'busy' : 'broken', words)
}

const CUT = new Set(['length', 'max_tokens'])
const FILTERED = new Set(['content_filter', 'safety'])

function finishOf(reason: string | undefined, calls: number, given: number, isDone: boolean): FinishReason {
  if (reason === undefined && !(isDone && (calls > 0 || given > 0))) {
    throw new ModelFailure('broken', 'The answer of the model ended in the middle.')
  }
  const word = reason?.toLowerCase() ?? ''
  if (CUT.has(word)) return 'length'
  if (FILTERED.has(word)) return 'filtered'
  // What counts is that there are calls: some providers end them with "stop".
  return calls > 0 ? 'calls' : 'stop'
}
