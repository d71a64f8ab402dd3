// The assistant's turns: conversations, tools, proposals, spending, and ratings of answers.
import type { Retrieval } from './turn/ports.ts'

export { chatDuties } from './duties.ts'
export { ratingCounts, unansweredQuestions } from './feedback/counts.ts'
export { type Period, periodOf } from './period.ts'
export { fixedList } from './request/fixed-list.ts'
export { openModeration } from './request/moderation.ts'
export type { ChatRooms } from './rooms.ts'
export { chatRoutes } from './routes.ts'
export { openRunningTurns } from './running-turns.ts'
export { latestSaid, type Said } from './sessions/latest.ts'
export type { ChosenModel, ModelsByPlan, Moderation, Passage, Retrieval } from './turn/ports.ts'

/** For a business without any texts to look up. */
export const nothingWritten: Retrieval = { find: async () => [] }
