import type { Line } from './line.ts'
import type { Schemas } from './operations.ts'
import { type Asked, request } from './request.ts'
import { type Frame, type Question, stream, type Talking } from './stream.ts'

export type Opening = Pick<Talking, 'headers'> & {
  /** The conversation to go on with. Without it, the first question begins one. */
  readonly sessionId?: string | undefined
}

export type Conversation = {
  /** Keep it to go on later. Undefined before the first answer. */
  readonly sessionId: string | undefined
  ask(prompt: string, more?: More): Promise<Schemas['ChatAnswer']>
  stream(prompt: string, more?: More): AsyncGenerator<Frame, void, undefined>
  /** Erases what was said. */
  erase(): Promise<void>
}
type More = Omit<Question, 'prompt' | 'sessionId'> & { readonly signal?: AbortSignal | undefined }

export function conversation(line: Line, { headers, sessionId }: Opening = {}): Conversation {
  let current = sessionId
  const question = (prompt: string, more: Omit<More, 'signal'>): Question => ({ ...more, prompt, sessionId: current })
  return {
    get sessionId() {
      return current
    },
    async ask(prompt, { signal, ...more } = {}) {
      const asked = { headers, signal, body: question(prompt, more) } as Asked
      const answer = (await request(line, 'POST /v1/chat', asked)) as Schemas['ChatAnswer']
      current = answer.sessionId ?? current
      return answer
    },
    async *stream(prompt, { signal, ...more } = {}) {
      for await (const frame of stream(line, question(prompt, more), { headers, signal })) {
        if (frame.type === 'start') current = frame.sessionId ?? current
        yield frame
      }
    },
    async erase() {
      if (current === undefined) return
      await request(line, 'DELETE /v1/chat/sessions/{sessionId}', { params: { sessionId: current } })
      current = undefined
    },
  }
}
