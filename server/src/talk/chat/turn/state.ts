import type { Block, CalledTool, ChatAnswer, Handoff, Proposal, ResultPath, Source } from '@tether/contract'
import { atOnce } from '../../../kernel/json/index.ts'
import { type Envelope, type Marks, type Message, openEnvelope, openMarks } from '../../../kernel/model/index.ts'
import { findChunks, openSegment, packSegment } from '../../../kernel/search/index.ts'
import { HANDOFF } from '../../handoffs/index.ts'
import { decisionsOn } from '../../proposals/index.ts'
import type { Passage } from './ports.ts'
import { openReply, type Reply } from './reply.ts'
import type { Turn } from './turn.ts'

const MOST_PREVIEW_SOURCES = 5

/** What has happened in a turn so far. The answer takes everything that it says about itself from here. */
export type TurnState = {
  readonly turn: Turn
  readonly startedAt: number
  readonly envelope: Envelope
  readonly reply: Reply
  readonly messages: Message[]
  readonly toolCalls: CalledTool[]
  readonly proposals: Proposal[]
  passages: readonly Passage[]
  /** What the model marked of them. */
  marks: Marks
  handoff: Handoff | null
  /** True if a tool answered in this turn. */
  isGrounded: boolean
  rounds: number
  usage: { inputTokens: number; outputTokens: number }
  firstTextMs: number | null
}

export function openState(turn: Turn): TurnState {
  const state: TurnState = {
    turn,
    startedAt: performance.now(),
    envelope: openEnvelope(),
    reply: openReply(
      () => isPreview(state),
      () => state.marks,
    ),
    messages: [],
    toolCalls: [],
    proposals: [],
    passages: [],
    marks: openMarks(0),
    handoff: null,
    isGrounded: false,
    rounds: 0,
    usage: { inputTokens: 0, outputTokens: 0 },
    firstTextMs: null,
  }
  return state
}

const isCrawled = ({ source }: Passage): boolean => source.kind !== 'knowledge'

/** Without a model an answer marks whatever it quotes, and what else it says repeats a text by chance. */
const drawnPassages = ({ turn, passages, marks, reply }: TurnState): number[] =>
  drawnOn(passages, marks.used, turn.model.model.kind === 'offline' ? '' : reply.ownWords)

/** Calling for a person reaches nothing that an answer could rest on. */
const reachedTool = ({ toolCalls }: TurnState): boolean => toolCalls.some(({ tool }) => tool !== HANDOFF.name)

/**
 * What a preview rests on: the pieces of a public website that the answer draws on or, if it does not show which of the texts it
 * draws on, those that it was given. With a tool it is no preview.
 */
function previewOf(state: TurnState, drawn = drawnPassages(state)): readonly Passage[] {
  if (reachedTool(state)) return []
  const rests = drawn.length === 0 ? state.passages : drawn.flatMap((number) => state.passages[number - 1] ?? [])
  return rests.filter(isCrawled)
}

/** True if the answer is based on a public website, and on no tool. */
export const isPreview = (state: TurnState): boolean =>
  !reachedTool(state) && state.passages.some(isCrawled) && previewOf(state).length > 0

export function chatAnswerOf(state: TurnState, resultPath: ResultPath): ChatAnswer {
  const { turn, reply, toolCalls, proposals, passages, handoff, usage } = state
  const drawn = drawnPassages(state)
  const rests = previewOf(state, drawn)
  const preview = rests.length > 0
  const links = new Set(rests.flatMap(({ source }) => source.url ?? []))
  const label = (block: Block): Block => {
    const { preview: _, ...rest } = block
    return preview ? { ...rest, preview: true } : rest
  }
  return {
    session_id: turn.sessionId,
    sessionId: turn.sessionId,
    request_id: turn.requestId,
    requestId: turn.requestId,
    blocks: reply.blocks.map(label),
    meta: {
      preview,
      previewSources: [...links].slice(0, MOST_PREVIEW_SOURCES),
      sources: sourcesOf(passages, drawn),
      resultPath,
      toolCalls: [...toolCalls],
      proposals: [...proposals],
      decisions: decisionsOn(turn.history.proposals, turn.language),
      handoff,
      usage: { ...usage, model: turn.model.name },
      language: turn.language,
      capabilityMode: turn.isDeep ? 'Deep' : 'Standard',
      takenOver: false,
    },
  }
}

const MOST_SOURCES = 5
/** A sentence that shares this much with a passage says what the passage says. */
const SAYS_THE_SAME = 0.5
const MOST_SENTENCES = 60

/** The passages on which an answer rests, by number from 1: those that it marks or, if it marks none, those that it repeats. */
function drawnOn(passages: readonly Passage[], marked: readonly number[], ownWords: string): number[] {
  if (passages.length === 0) return []
  const numbers = marked.length > 0 ? marked : repeated(passages, ownWords)
  return [...new Set(numbers)].toSorted((one, other) => one - other)
}

/** The distinct sources of these passages, best first. */
function sourcesOf(passages: readonly Passage[], numbers: readonly number[]): Source[] {
  const sources = numbers.flatMap((number) => passages[number - 1]?.source ?? [])
  const distinct = new Map(sources.map((source) => [`${source.kind} ${source.url ?? source.title}`, source]))
  return [...distinct.values()].slice(0, MOST_SOURCES)
}

function repeated(passages: readonly Passage[], ownWords: string): number[] {
  const segment = openSegment(atOnce(packSegment(passages.map(({ heading, text }) => `${heading ?? ''}\n${text}`))))
  if (segment === undefined) return []
  const sentences = ownWords.split(/(?<=[.!?])\s+|\n+/).slice(0, MOST_SENTENCES)
  return sentences.flatMap((sentence) => {
    const [best] = findChunks([segment], sentence, 1).hits
    return best !== undefined && best.coverage >= SAYS_THE_SAME ? [best.chunk + 1] : []
  })
}
