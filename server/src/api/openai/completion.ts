import type { ChatAnswer, OpenAiCompletion } from '@tether/contract'
import { Refusal } from '../../kernel/http/index.ts'
import { blockWords, proposalWords } from './markdown.ts'
import { WORDS } from './words.ts'

/** Every workspace has this one: which model of which provider answers is the deployment's to choose, and nobody else's to know. */
export const MODEL = 'tether'
/** A model has a date of birth. This is the day on which the interface was first served. */
export const MODEL_SINCE = Date.UTC(2026, 10, 23) / 1000

type Meta = ChatAnswer['meta']

export const finishReason = ({ resultPath }: Meta): 'stop' | 'content_filter' =>
  resultPath === 'out_of_scope' ? 'content_filter' : 'stop'

export const usageOf = ({ usage: { inputTokens, outputTokens } }: Meta) => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens,
})

export const idsOf = ({ sessionId, requestId }: Pick<ChatAnswer, 'sessionId' | 'requestId'>) => ({
  sessionId,
  requestId,
})

export const head = (requestId: string, now: number) => ({
  id: requestId,
  created: Math.floor(now / 1000),
  model: MODEL,
})

/** The whole answer in words: what it says, what it proposes, and the footnote that says that this waits. */
export function completionOf(answer: ChatAnswer, now: number): OpenAiCompletion {
  const { blocks, meta } = answer
  const { proposals, language, takenOver } = meta
  // What waits comes before the closing footnotes, which say that it does.
  const closing = blocks.findLastIndex(({ type }) => type !== 'footnote') + 1
  const content = takenOver
    ? WORDS[language].takenOver
    : [
        ...blocks.slice(0, closing).map(blockWords),
        ...proposals.map((proposal) => proposalWords(proposal, language)),
        ...blocks.slice(closing).map(blockWords),
      ].join('\n\n')
  return {
    ...head(answer.requestId, now),
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, refusal: null },
        logprobs: null,
        finish_reason: finishReason(meta),
      },
    ],
    usage: usageOf(meta),
    metadata: idsOf(answer),
  }
}

/**
 * A turn that failed may have proposed something before. The maker's own client would ask again by itself, and the same write
 * would wait twice, so it is told not to.
 */
export function sayNoRetry(error: unknown): never {
  if (!(error instanceof Refusal)) throw error
  throw new Refusal(error.code, error.message, error.extras, { ...error.headers, 'x-should-retry': 'false' })
}
