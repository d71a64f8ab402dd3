import { refuse } from '../../kernel/http/index.ts'

export const noConversation = () => refuse('session_not_found', 'There is no such conversation. Check its id.')

export const noPerson = (userId: number) =>
  refuse(
    'user_not_found',
    `No active person of this workspace has the userId ${userId}. Register them with PUT /v1/users, or leave \`userId\` out.`,
  )
