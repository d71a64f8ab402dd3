// Finds the state of a conversation from its messages alone, by deciding about each message again.
import type { Language } from '@tether/contract'
import type { Message as ModelMessage } from '../../kernel/model/index.ts'
import { beginning, type Decision, decide, type Message, type State } from './decide.ts'
import { phrasesOf } from './phrases.ts'

const MOST_EXCHANGES = 8
const MOST_EARLIER = 4

type Exchange = { readonly said: string; readonly reply: string }

/** Pairs each message of the visitor with all replies to it. */
function exchangesOf(messages: readonly ModelMessage[], questionText: (message: ModelMessage) => string): Exchange[] {
  const found: { said: string; reply: string }[] = []
  for (const message of messages) {
    if (message.role === 'user') found.push({ said: questionText(message), reply: '' })
    const last = found.at(-1)
    if (message.role === 'assistant' && last !== undefined) last.reply += message.text
  }
  return found
}

const has = (reply: string, of: (language: Language) => string): boolean =>
  reply.includes(of('en')) || reply.includes(of('ka'))

type About = Pick<Message, 'tools' | 'language' | 'mayHandOver'>

export function stateAfter(
  messages: readonly ModelMessage[],
  questionText: (message: ModelMessage) => string,
  about: About,
): State {
  const exchanges = exchangesOf(messages, questionText).slice(-MOST_EXCHANGES)
  let state = beginning
  for (const [at, { said: text, reply }] of exchanges.entries()) {
    const earlier = exchanges
      .slice(Math.max(0, at - MOST_EARLIER), at)
      .map(({ said }) => said)
      .reverse()
    // The passages of that round are gone, but the reply shows whether we asked something.
    state = next(state, decide({ ...about, text, earlier, passages: [] }, state), reply)
  }
  return state
}

function next({ open, last, staged, proposed }: State, decision: Decision, reply: string): State {
  const asked = has(reply, (language) => phrasesOf(language).needEnd)
  const stagedNow = has(reply, (language) => phrasesOf(language).waits)
  // The visitor may say something else in between and still answer our question.
  const isAside = decision.do === 'unknown' || decision.do === 'quote'
  return {
    open: asked ? (decision.do === 'ask' ? decision : undefined) : isAside ? open : undefined,
    last: decision.do === 'call' && !decision.tool.isWrite ? decision : last,
    staged: staged || stagedNow,
    stagedNow,
    proposed: proposedNext(proposed, { decision, stagedNow, reply }),
  }
}

type Turned = { readonly decision: Decision; readonly stagedNow: boolean; readonly reply: string }

function proposedNext(before: State['proposed'], { decision, stagedNow, reply }: Turned): State['proposed'] {
  if (stagedNow && decision.do === 'call') return [...before, decision]
  return has(reply, (language) => phrasesOf(language).withdrawn) ? before.slice(0, -1) : before
}
