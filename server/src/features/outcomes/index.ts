// Counts what became of conversations and proposals, with ratings and unanswered questions.
export { outcomeRoutes } from './routes.ts'
