// What became of it all: conversations, proposals, ratings, questions without an answer.
export { outcomeRoutes } from './routes.ts'
