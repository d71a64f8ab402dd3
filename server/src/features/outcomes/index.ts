// Counts what became of conversations and proposals, with ratings and unanswered questions.
export { readDaily, readOutcomes } from './outcomes.ts'
export { outcomeRoutes } from './routes.ts'
