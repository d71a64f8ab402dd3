// The assistant's turns: conversations, tools, proposals, spending, and ratings of answers.
export { chatDuties } from './duties.ts'
export { ratingCounts, unansweredQuestions } from './feedback/counts.ts'
export { fixedList } from './request/fixed-list.ts'
export { openModeration } from './request/moderation.ts'
export type { ChatRooms } from './rooms.ts'
export { chatRoutes } from './routes.ts'
export { openRunningTurns } from './running-turns.ts'
export type { ChosenModel, ModelsByPlan, Moderation, Passage, Retrieval } from './turn/ports.ts'
