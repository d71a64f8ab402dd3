// Conversations for the people of a business: looking into them, answering in them, and taking them over from the assistant.
export { keepWords, messagesAfter } from './messages.ts'
export { type ConversationRooms, conversationRoutes } from './routes.ts'
