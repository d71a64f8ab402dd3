import type { Answer } from '../../kernel/http/index.ts'
import type { ConversationPage } from './list-conversations.ts'
import type { Message } from './messages.ts'
import type { Proposed, Transcript, Turn } from './read-conversation.ts'
import type { TakeoverState } from './takeover.ts'

const iso = (at: Date | null): string | null => at?.toISOString() ?? null

const dated = <Given extends { startedAt: Date; lastAt: Date }>({ startedAt, lastAt, ...rest }: Given) => ({
  ...rest,
  startedAt: startedAt.toISOString(),
  lastAt: lastAt.toISOString(),
})

const takeover = ({ takenOver, takenOverUntil, takenOverBy }: TakeoverState) => ({
  takenOver,
  takenOverUntil: iso(takenOverUntil),
  takenOverBy,
})

const message = ({ id, from, text, at, after }: Message) => ({ id, from, text, at: at.toISOString(), after })

const proposal = ({ createdAt: _, settledAt, verificationStatus, verificationReason, ...rest }: Proposed) => ({
  ...rest,
  settledAt: iso(settledAt),
  verification: verificationStatus === null ? null : { status: verificationStatus, reason: verificationReason },
})

const turn = ({ at, proposals, rating, ...rest }: Turn) => ({
  ...rest,
  at: at.toISOString(),
  proposals: proposals.map(proposal),
  rating: rating === null ? null : { ...rating, at: rating.at.toISOString() },
})

export const listAnswer = ({ conversations, nextBefore }: ConversationPage): Answer => ({
  status: 200,
  body: { conversations: conversations.map(dated), count: conversations.length, nextBefore },
})

export const transcriptAnswer = ({ turns, messages, ...rest }: Transcript): Answer => ({
  status: 200,
  body: { ...dated(rest), ...takeover(rest), turns: turns.map(turn), messages: messages.map(message) },
})

export const saidAnswer = (sessionId: string, said: Message & TakeoverState): Answer => ({
  status: 200,
  body: { sessionId, message: message(said), ...takeover(said) },
})

export const takeoverAnswer = (sessionId: string, state: TakeoverState): Answer => ({
  status: 200,
  body: { sessionId, ...takeover(state) },
})
