import type { Block, CalledTool, ChatAnswer, Handoff, Proposal, ResultPath } from '@tether/contract'
import { type Envelope, type Message, openEnvelope } from '../../../foundation/model/index.ts'
import { decisionsOn } from '../../proposals/index.ts'
import { drawnOn, sourcesOf } from './drawn-on.ts'
import { type Marks, openMarks } from './marks.ts'
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

/** True if the answer is based on a public website, and on no tool. */
export const isPreview = ({ toolCalls, passages }: TurnState): boolean =>
  toolCalls.length === 0 && passages.some(({ source }) => source.kind !== 'knowledge')

export function chatAnswerOf(state: TurnState, resultPath: ResultPath): ChatAnswer {
  const { turn, reply, toolCalls, proposals, passages, handoff, usage } = state
  const preview = isPreview(state)
  const sources = sourcesOf(passages, drawnOn(passages, state.marks.used, reply.ownWords))
  const links = sources.filter(({ kind }) => kind !== 'knowledge').flatMap(({ url }) => url ?? [])
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
      previewSources: preview ? links.slice(0, MOST_PREVIEW_SOURCES) : [],
      sources,
      resultPath,
      toolCalls: [...toolCalls],
      proposals: [...proposals],
      decisions: decisionsOn(turn.history.proposals, turn.language),
      handoff,
      usage: { ...usage, model: turn.model.name },
      language: turn.language,
      capabilityMode: turn.isDeep ? 'Deep' : 'Standard',
    },
  }
}
