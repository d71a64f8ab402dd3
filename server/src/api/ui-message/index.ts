// The stream of a turn as the AI SDK's UI message stream, so that a page with `useChat` shows it as its own.
import type { StreamForm } from '../../talk/chat/index.ts'
import { askedIn } from './asked.ts'
import { tellTurn, tellWatch } from './tell.ts'

export const uiMessageStream: StreamForm = {
  ask: askedIn,
  headers: { 'x-vercel-ai-ui-message-stream': 'v1' },
  tell: (frames, asked) => (asked.watch === true ? tellWatch(frames, asked.sessionId ?? '') : tellTurn(frames)),
}
