import type { ChatStreamRequest } from '@tether/contract'
import type { z } from 'zod'
import type { ServerEvent } from '../../kernel/http/index.ts'

export type StreamBody = z.output<typeof ChatStreamRequest>

/** Another protocol in which a stream can be asked for and told. It changes the form, and nothing of what happens. */
export type StreamForm = {
  /** The same request in our own words. It refuses what cannot be said in them. */
  ask(body: StreamBody): StreamBody
  /** The headers by which its clients know it. */
  readonly headers: Readonly<Record<string, string>>
  /** Tells our frames in its own. It is handed all of them, from the first one on. */
  tell(frames: AsyncIterable<ServerEvent>, asked: StreamBody): AsyncIterable<ServerEvent>
}
