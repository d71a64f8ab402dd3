// Counts what became of conversations and proposals, with ratings and unanswered questions.
export { readDaily, readUnanswered } from './outcomes.ts'
export { outcomeRoutes } from './routes.ts'
