// The assistant's turns: a conversation, its tools, its proposals, its money, and what people thought of its answers.
import { ModelFailure } from '../../foundation/model/index.ts'
import type { ModelDesk, Retrieval } from './turn/ports.ts'

export { chatDuties } from './duties.ts'
export { ratingCounts, unansweredQuestions } from './feedback/counts.ts'
export { type Period, periodOf } from './period.ts'
export { type Classifier, openModeration } from './request/moderation.ts'
export type { ChatRooms } from './rooms.ts'
export { chatRoutes } from './routes.ts'
export { openRunningTurns } from './running-turns.ts'
export type { ChosenModel, ModelDesk, Moderation, Passage, Retrieval } from './turn/ports.ts'

/** Where a business has written nothing that could be looked up. */
export const nothingWritten: Retrieval = { find: async () => [] }

/** A deployment without a model: every turn says so, and costs nothing. */
export const noModel: ModelDesk = {
  of: () => ({
    name: 'none',
    price: { inputMicros: 0, outputMicros: 0 },
    model: {
      kind: 'none',
      stream: () => ({
        [Symbol.asyncIterator]: () => ({
          next: () => Promise.reject(new ModelFailure('unreachable', 'No model is configured in this deployment.')),
        }),
      }),
    },
  }),
}
