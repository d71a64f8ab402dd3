// Conversations for the people of a business: looking into them, answering in them, and taking them over from the assistant.
export { conversationsOf } from './list-conversations.ts'
export { keepWords, messagesAfter } from './messages.ts'
export { readConversation } from './read-conversation.ts'
export { conversationRoutes } from './routes.ts'
