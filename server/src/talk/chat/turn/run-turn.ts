import { type Block, type ChatFrame, type FrameCode, principleIn, type ResultPath } from '@tether/contract'
import { isUnavailable } from '../../../kernel/db/index.ts'
import { Refusal } from '../../../kernel/http/index.ts'
import { figureOf, type ModelCall, ModelFailure, openMarks } from '../../../kernel/model/index.ts'
import { newsOf } from '../../proposals/index.ts'
import { type Called, callTool, startInOrder } from './call-tool.ts'
import { claimIn } from './claims.ts'
import type { Passage } from './ports.ts'
import { nameOf, systemPrompt } from './prompt.ts'
import { BudgetExceeded, playRound } from './round.ts'
import { chatAnswerOf, isPreview, openState, type TurnState } from './state.ts'
import type { Ending, Turn, TurnParts } from './turn.ts'
import { WORDS } from './words.ts'

// The most calls in one round. We answer further ones without making them.
const MOST_CALLS = 16

type TurnEnd =
  | { readonly path: 'ok' | 'out_of_scope' }
  | {
      readonly path: Exclude<ResultPath, 'ok' | 'out_of_scope'>
      readonly code: FrameCode
      readonly message: string
      readonly retryAfterSeconds?: number
      readonly errorId?: string
    }

// Made only once, because an abort without a reason would create an error with a stack for every turn.
const OVER = new Error('The turn is over.')

const STOPPED: TurnEnd = { path: 'canceled', code: 'CANCELED', message: 'The turn was stopped.' }

/**
 * Runs one turn and yields its frames. It ends with exactly one `complete` or `error`, whatever the model, the tools or
 * the database do. When `signal` aborts, the model and all running calls stop, and nothing more begins.
 */
export async function* runTurn(parts: TurnParts, turn: Turn, signal: AbortSignal): AsyncGenerator<ChatFrame, Ending> {
  const state = openState(turn)
  const gone = new AbortController()
  const either = AbortSignal.any([signal, gone.signal])
  let end: TurnEnd | undefined
  try {
    yield { type: 'start', requestId: turn.requestId, sessionId: turn.sessionId }
    try {
      const path = yield* converse(parts, state, either)
      either.throwIfAborted()
      end = { path }
    } catch (error) {
      end = endAfter(error, signal, parts)
    }
    const ending = endingOf(state, end)
    if (KEPT.has(end.path)) await keepAnswer(parts, state, ending)
    yield ending.frame
    return ending
  } finally {
    // A reader that leaves ends the generator at a `yield`, and all running work ends with it.
    gone.abort(OVER)
    parts.record(turnRecordOf(state, end ?? STOPPED))
  }
}

async function* converse(
  parts: TurnParts,
  state: TurnState,
  signal: AbortSignal,
): AsyncGenerator<ChatFrame, 'ok' | 'out_of_scope'> {
  const { turn, reply } = state
  const { ctx, prompt, language, limits, offering } = turn
  const principle = await parts.moderation.principleAgainst(ctx, prompt, signal)
  if (principle !== null) {
    yield* reply.take(`${WORDS[language].refused} ${principleIn(language, principle)}`)
    yield* reply.endRound()
    return 'out_of_scope'
  }
  yield { type: 'status', stage: 'retrieving' }
  state.passages = await parts.retrieval.find(ctx, { text: prompt, language }, signal)
  state.marks = openMarks(state.passages.length)
  begin(state)
  // So many rounds may call. The one after them is offered no tool, and so must answer.
  for (let round = 1; ; round++) {
    const mayCall = round <= limits.rounds
    const calls = yield* playRound(parts, state, mayCall ? offering.offered : [], signal)
    if (!mayCall || calls.length === 0) break
    yield* runCalls(parts, state, calls, signal)
    signal.throwIfAborted()
  }
  yield* conclude(state)
  return 'ok'
}

function begin(state: TurnState): void {
  const { turn, envelope, messages, passages } = state
  const { prompt, pictures, history } = turn
  messages.push({ role: 'system', text: systemPrompt(turn, envelope, passages, turn.ctx.clock.now()) })
  for (const exchange of history.exchanges) {
    messages.push({ role: 'user', text: exchange.prompt }, { role: 'assistant', text: exchange.reply })
  }
  messages.push({ role: 'user', text: prompt, ...(pictures.length > 0 ? { pictures } : {}) })
}

async function* runCalls(
  parts: TurnParts,
  state: TurnState,
  calls: readonly ModelCall[],
  signal: AbortSignal,
): AsyncGenerator<ChatFrame> {
  const { turn } = state
  for (const { name } of calls.slice(0, MOST_CALLS)) yield { type: 'status', stage: 'calling', tool: name.slice(0, 64) }
  const indexed = calls.map((call, index) => ({ call, index }))
  const ended = startInOrder(indexed, turn.limits.concurrentTools, signal, ({ call, index }) =>
    index < MOST_CALLS ? callTool(parts, turn, call, signal) : Promise.resolve(beyondLimit(call)),
  )
  for (const promise of ended) {
    const one = await promise
    if (!one.ok) throw one.error
    yield* recordCall(state, one.value)
  }
}

const beyondLimit = (call: ModelCall): Called => ({
  call,
  report: { tool: call.name.slice(0, 64), status: 'failed', durationMs: 0 },
  text: `Nothing was called, because a round may make at most ${MOST_CALLS} calls. Ask for fewer.`,
  proposal: null,
  handoff: null,
  isAnswered: false,
})

function* recordCall(
  state: TurnState,
  { call, report, text, proposal, handoff, isAnswered }: Called,
): Generator<ChatFrame> {
  const { messages, toolCalls, proposals, envelope } = state
  toolCalls.push(report)
  if (isAnswered) state.isGrounded = true
  state.handoff ??= handoff
  const wrapped = envelope.wrap(`${report.tool.replace(/[^a-z0-9_]/g, '')} ${report.status}`, text)
  messages.push({ role: 'tool', callId: call.id, name: call.name, text: wrapped })
  yield { type: 'tool', ...report }
  if (proposal === null || proposals.some(({ actionId }) => actionId === proposal.actionId)) return
  proposals.push(proposal)
  yield { type: 'proposal', proposal }
}

/** Compares the answer with what happened, and adds a footnote if the model's words might mislead. */
function* conclude({ turn, reply, proposals, passages, marks }: TurnState): Generator<ChatFrame> {
  const words = WORDS[turn.language]
  if (reply.blocks.length === 0 && proposals.length === 0) {
    yield* reply.take(words.noAnswer)
    yield* reply.endRound()
  }
  for (const [at, number] of marks.used.entries()) {
    const passage = passages[number - 1]
    if (passage !== undefined) yield reply.add(footnoteOf(passage, at + 1))
  }
  for (const text of newsOf(turn.history.proposals, turn.language)) yield reply.add({ type: 'footnote', text })
  const claim = claimIn(reply.ownWords)
  if (proposals.length > 0) {
    const isTheirs = proposals.some(({ confirmationToken }) => confirmationToken !== undefined)
    const waits = isTheirs ? words.waitsForYou : words.waitsForOthers
    yield reply.add({ type: 'footnote', text: claim === 'none' ? waits : `${words.notDone} ${waits}` })
  } else if (claim === 'own') yield reply.add({ type: 'footnote', text: words.nothingProposed })
}

function footnoteOf(passage: Passage, figure: number): Block {
  const { url } = passage.source
  return { type: 'footnote', text: `${figureOf(figure)} ${nameOf(passage)}`, ...(url === null ? {} : { url }) }
}

function endAfter(error: unknown, signal: AbortSignal, parts: Pick<TurnParts, 'failed'>): TurnEnd {
  if (signal.aborted) {
    const isLate = (signal.reason as Error | undefined)?.name === 'TimeoutError'
    return isLate
      ? { path: 'error', code: 'TURN_TIMEOUT', message: 'The turn took too long and was stopped. Ask again.' }
      : STOPPED
  }
  // A workspace that is being deleted stages nothing.
  if (error instanceof Refusal && error.code === 'tenant_not_found') return STOPPED
  if (error instanceof BudgetExceeded) {
    return {
      path: 'budget_exceeded',
      code: error.code,
      message: 'The spend ceiling for this assistant is reached. Try again later.',
    }
  }
  if (error instanceof ModelFailure && error.kind === 'busy') {
    const retryAfterSeconds = Math.max(1, Math.ceil(error.retryAfterSeconds ?? 5))
    const message = `The model is busy at the moment. Try again in ${retryAfterSeconds} s.`
    return { path: 'error', code: 'RATE_LIMITED', message, retryAfterSeconds }
  }
  const errorId = parts.failed(error)
  if (error instanceof ModelFailure) {
    return {
      path: 'error',
      code: 'MODEL_UNAVAILABLE',
      message: 'The model does not answer. Try again in a moment.',
      errorId,
    }
  }
  if (isUnavailable(error)) {
    return {
      path: 'error',
      code: 'DATABASE_UNAVAILABLE',
      message: 'The database does not answer. Try again in a moment.',
      errorId,
    }
  }
  return {
    path: 'error',
    code: 'INTERNAL_ERROR',
    message: `Something failed on our side. Quote ${errorId} when you report it.`,
    errorId,
  }
}

/** The ends that a visitor reads as an answer, and may rate. */
const KEPT: ReadonlySet<string> = new Set(['ok', 'out_of_scope', 'budget_exceeded'])

function endingOf(state: TurnState, end: TurnEnd): Ending {
  const answer = chatAnswerOf(state, end.path)
  if (!('code' in end)) return { frame: { type: 'complete', ...answer }, answer }
  const { path: _, ...said } = end
  return { frame: { type: 'error', ...said }, answer }
}

async function keepAnswer(parts: TurnParts, state: TurnState, { answer }: Ending): Promise<void> {
  // We keep only names in the catalog, because a name that a model made up may contain what no database accepts.
  const isKnown = (name: string) => state.turn.catalog.find(name) !== undefined
  const usedTools = [...new Set(state.toolCalls.map(({ tool }) => tool).filter(isKnown))]
  try {
    await parts.keep(state.turn, { answer, ownWords: state.reply.ownWords, usedTools, answered: isAnswered(state) })
  } catch (error) {
    // The answer is complete and true. That we could not keep it is our fault, and no reason to withhold it.
    parts.failed(error)
  }
}

const DOES_NOT_KNOW =
  /\bi (?:do not|don['’]t) (?:know|have (?:that|this|any|the) information)|\b(?:could not|couldn['’]t|cannot|can['’]t|unable to) find\b|(?:არ ვიცი|ვერ მოვძებნე|ვერ ვიპოვე|ინფორმაცია არ მაქვს)/iu

const isAnswered = ({ reply, handoff, turn }: TurnState): boolean =>
  handoff === null &&
  !DOES_NOT_KNOW.test(reply.ownWords) &&
  reply.ownWords !== '' &&
  reply.ownWords !== WORDS[turn.language].noAnswer

const turnRecordOf = (state: TurnState, end: TurnEnd) => ({
  resultPath: end.path,
  errorCode: 'code' in end ? end.code : null,
  rounds: state.rounds,
  toolCalls: state.toolCalls.length,
  proposals: state.proposals.length,
  handedOff: state.handoff !== null,
  answered: end.path === 'ok' && isAnswered(state),
  preview: isPreview(state),
  usage: state.usage,
  durationMs: Math.round(performance.now() - state.startedAt),
  firstTextMs: state.firstTextMs,
})
