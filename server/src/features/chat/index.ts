// The assistant's turns: a conversation, its tools, its proposals, its money, and what people thought of its answers.
import type { Retrieval } from './turn/ports.ts'

export { chatDuties } from './duties.ts'
export { ratingCounts, unansweredQuestions } from './feedback/counts.ts'
export { type Period, periodOf } from './period.ts'
export { fixedList } from './request/fixed-list.ts'
export { openModeration } from './request/moderation.ts'
export type { ChatRooms } from './rooms.ts'
export { chatRoutes } from './routes.ts'
export { openRunningTurns } from './running-turns.ts'
export type { ChosenModel, ModelsByPlan, Moderation, Passage, Retrieval } from './turn/ports.ts'

/** Where a business has written nothing that could be looked up. */
export const nothingWritten: Retrieval = { find: async () => [] }
