// The vector of a question, or none: a provider that is down, slow or too dear costs a turn nothing but the second ranking.

import { seldom } from '../../kernel/log/index.ts'
import { ModelFailure, type Space } from '../../kernel/model/index.ts'
import type { Context } from '../../tenancy/context/index.ts'
import { type EmbeddingParts, embed } from './embed.ts'

export type QuestionVectors = {
  of(ctx: Context, question: { text: string; space: Space }, signal: AbortSignal): Promise<Float32Array | undefined>
}

/** The whole of any prompt that a turn takes by default. */
const MOST_CHARS = 8_000
const FIRST_REST_MS = 5_000
const LONGEST_REST_MS = 60_000
const SAY_MS = 60_000

export function openQuestionVectors(parts: EmbeddingParts): QuestionVectors {
  const { settings, log, metrics, clock } = parts.house
  const waitMs = settings.ai.embeddings.questionSeconds * 1000
  const say = seldom(log, SAY_MS)
  let [failures, restUntil, byWords] = [0, 0, 0]
  metrics.gauge(
    'tether_questions_by_words_alone',
    'Questions for which no vector could be had, since the start',
    () => byWords,
  )

  /** Nobody else waits for a provider that did not answer, until it may have come back. */
  const rest = (error: unknown) => {
    failures++
    const asked = error instanceof ModelFailure ? (error.retryAfterSeconds ?? 0) * 1000 : 0
    restUntil = clock.now() + Math.min(LONGEST_REST_MS, Math.max(asked, FIRST_REST_MS * 2 ** (failures - 1)))
    say(
      { reason: reasonOf(error) },
      'Questions are answered by words alone, because the model of the embeddings does not answer.',
    )
  }
  return {
    async of(ctx, { text, space }, signal) {
      if (clock.now() < restUntil) {
        byWords++
        return undefined
      }
      const { requestId } = ctx.asking
      const texts = [text.slice(0, MOST_CHARS).toWellFormed()]
      const late = AbortSignal.timeout(waitMs)
      try {
        const vectors = await embed(
          parts,
          ctx.asking,
          { ...space, texts, of: 'question', requestId },
          AbortSignal.any([signal, late]),
        )
        if (vectors === undefined) byWords++
        else failures = 0
        return vectors?.[0]
      } catch (error) {
        signal.throwIfAborted()
        if (!(error instanceof ModelFailure) && !late.aborted) throw error
        byWords++
        rest(error)
        return undefined
      }
    },
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof ModelFailure ? error.message : 'The model did not answer in time (AI:Embeddings:QuestionSeconds).'
