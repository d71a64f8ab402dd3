// The assistant's turns: conversations, tools, proposals, spending, and ratings of answers.

export { ratingCounts, ratingDays, unansweredQuestions } from './feedback/feedback.ts'
export { askAtOnce, askStreaming, refusalFromFrame } from './request/answer.ts'
export { fixedList, openModeration } from './request/moderation.ts'
export type { TurnRequest } from './request/prepare.ts'
export { type RehearsalRooms, rehearse } from './request/rehearse.ts'
export type { ChatRooms } from './rooms.ts'
export { chatRoutes } from './routes.ts'
export { chatDuties, deleteSession } from './sessions/erase.ts'
export type { StreamBody, StreamForm } from './stream-form.ts'
export { turnLanguage } from './turn/language.ts'
export type { ChosenModel, ModelsByPlan, Passage, Retrieval } from './turn/ports.ts'
export { toolTokens } from './turn/tokens.ts'
