import type { ChatFrame, WatchFrame } from '@tether/contract'
import type { ServerEvent } from '../../kernel/http/index.ts'
import {
  blockPart,
  calledPart,
  failedPart,
  metadataOf,
  type Part,
  proposalParts,
  resultPart,
  sourcePart,
} from './parts.ts'

type FrameOf<Type extends ChatFrame['type']> = Extract<ChatFrame, { type: Type }>
type Called = { readonly toolCallId: string; readonly toolName: string }

/** One message as far as it has been told. */
type Told = {
  requestId: string
  /** True once a step has begun. One round of the model is one step. */
  isInStep: boolean
  /** The text part that is open. */
  openText: string | null
  /** The calls that have begun and not ended, in order: they end in the order in which they began. */
  readonly running: Called[]
  /** A write that was staged just now. The frame after it says whether it is a new proposal. */
  staged: { readonly called: Called; readonly durationMs: number } | null
  parts: number
}

const DONE: ServerEvent = { data: '[DONE]' }
const event = (part: Part): ServerEvent => ({ data: JSON.stringify(part) })

// The cast is true because the frames are those that we have just written.
const frameIn = <Frame>(data: string): Frame => JSON.parse(data) as Frame

/** Tells the frames of a turn as one message of the AI SDK. */
export async function* tellTurn(frames: AsyncIterable<ServerEvent>): AsyncGenerator<ServerEvent> {
  const told: Told = { requestId: '', isInStep: false, openText: null, running: [], staged: null, parts: 0 }
  for await (const { data } of frames) {
    if (data === undefined) yield {}
    else for (const part of partsOf(told, frameIn<ChatFrame>(data))) yield event(part)
  }
  yield DONE
}

function* partsOf(told: Told, frame: ChatFrame): Generator<Part> {
  if (frame.type !== 'proposal') yield* settleStaged(told)
  switch (frame.type) {
    case 'start':
      told.requestId = frame.requestId
      yield {
        type: 'start',
        messageId: frame.requestId,
        messageMetadata: { sessionId: frame.sessionId, requestId: frame.requestId },
      }
      return
    case 'status':
      return yield* statusParts(told, frame)
    case 'delta':
      return yield* textParts(told, frame.text)
    case 'tool':
      return yield* toolParts(told, frame)
    case 'proposal':
      yield* proposalParts(told.staged?.called ?? begin(told, frame.proposal.tool), frame.proposal)
      told.staged = null
      return
    case 'block':
      return yield* blockParts(told, frame)
    case 'complete':
      return yield* completeParts(told, frame)
    case 'error':
      return yield* errorParts(told, frame)
  }
}

const nextId = (told: Told, what: string): string => `${told.requestId}_${what}${++told.parts}`
const begin = (told: Told, toolName: string): Called => ({ toolCallId: nextId(told, 'call'), toolName })

function* closeText(told: Told): Generator<Part> {
  if (told.openText === null) return
  yield { type: 'text-end', id: told.openText }
  told.openText = null
}

function* beginStep(told: Told): Generator<Part> {
  if (told.isInStep) return
  told.isInStep = true
  yield { type: 'start-step' }
}

function* endStep(told: Told): Generator<Part> {
  yield* closeText(told)
  if (!told.isInStep) return
  told.isInStep = false
  yield { type: 'finish-step' }
}

/** The same write asked for twice is one proposal: the second call ends as staged, and asks for nothing. */
function* settleStaged(told: Told): Generator<Part> {
  if (told.staged === null) return
  const { called, durationMs } = told.staged
  told.staged = null
  yield resultPart(called, 'staged', durationMs)
}

function* statusParts(told: Told, { stage, tool }: FrameOf<'status'>): Generator<Part> {
  if (stage === 'thinking') yield* endStep(told)
  yield { type: 'data-status', data: { stage, ...(tool === undefined ? {} : { tool }) }, transient: true }
  if (stage === 'thinking') yield* beginStep(told)
  if (tool === undefined) return
  yield* closeText(told)
  const called = begin(told, tool)
  told.running.push(called)
  yield calledPart(called)
}

function* textParts(told: Told, text: string): Generator<Part> {
  yield* beginStep(told)
  // A part of its own needs no break before it.
  const delta = told.openText === null ? text.replace(/^\n+/, '') : text
  if (delta === '') return
  if (told.openText === null) {
    told.openText = nextId(told, 'text')
    yield { type: 'text-start', id: told.openText }
  }
  yield { type: 'text-delta', id: told.openText, delta }
}

function* toolParts(told: Told, { tool, status, durationMs }: FrameOf<'tool'>): Generator<Part> {
  const running = told.running.shift()
  const called = running ?? begin(told, tool)
  // Calls beyond the most of a round were never begun.
  if (running === undefined) yield calledPart(called)
  if (status === 'staged') told.staged = { called, durationMs }
  else yield resultPart(called, status, durationMs)
}

function* blockParts(told: Told, { index, block }: FrameOf<'block'>): Generator<Part> {
  if (block.type === 'text') return yield* textParts(told, block.markdown)
  yield* beginStep(told)
  yield* closeText(told)
  yield blockPart(`${told.requestId}_block${index}`, block)
}

function* completeParts(told: Told, { type: _, ...answer }: FrameOf<'complete'>): Generator<Part> {
  const { sources, decisions, handoff, resultPath } = answer.meta
  yield* closeText(told)
  for (const [at, source] of sources.entries()) yield sourcePart(`${told.requestId}_source${at}`, source)
  for (const decision of decisions) yield { type: 'data-decision', id: decision.actionId, data: decision }
  if (handoff !== null) yield { type: 'data-handoff', id: told.requestId, data: handoff }
  yield* endStep(told)
  const finishReason = resultPath === 'out_of_scope' ? 'content-filter' : 'stop'
  yield { type: 'finish', finishReason, messageMetadata: metadataOf(answer) }
}

/** Their client reads nothing after an `error`, so what else there is to say of it comes before. */
function* errorParts(told: Told, { type: _, message, ...said }: FrameOf<'error'>): Generator<Part> {
  for (const called of told.running.splice(0)) yield failedPart(called, 'The turn ended before this call did.')
  yield* endStep(told)
  yield { type: 'message-metadata', messageMetadata: { error: { ...said, message } } }
  if (said.code === 'CANCELED') yield { type: 'abort', reason: message }
  else yield { type: 'error', errorText: message }
}

/**
 * Tells a watch as one message that begins anew with each watch and has the same id, so that a page replaces what it has. What a
 * person wrote is its text, and says in its metadata who.
 */
export async function* tellWatch(frames: AsyncIterable<ServerEvent>, sessionId: string): AsyncGenerator<ServerEvent> {
  yield event({ type: 'start', messageId: `watch_${sessionId}`, messageMetadata: { sessionId, watch: true } })
  for await (const { data } of frames) {
    if (data === undefined) yield {}
    else for (const part of watchParts(frameIn<WatchFrame>(data))) yield event(part)
  }
  yield DONE
}

function* watchParts(frame: WatchFrame): Generator<Part> {
  if (frame.type === 'end') yield { type: 'finish', finishReason: 'stop' }
  else if (frame.type === 'decision') {
    const { type: _, ...decision } = frame
    yield { type: 'data-decision', id: decision.actionId, data: decision }
  } else {
    const { id, from, at, after, text } = frame
    yield { type: 'text-start', id, providerMetadata: { tether: { id, from, at, after } } }
    yield { type: 'text-delta', id, delta: text }
    yield { type: 'text-end', id }
  }
}
