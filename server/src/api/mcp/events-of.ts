import type { ServerEvent } from '../../kernel/http/index.ts'

const DATA = 'data: '

/** The frames that the package wrote, as our server sends events: it beats, and holds the source back for a slow reader. */
export async function* eventsOf(body: ReadableStream<Uint8Array>, close: () => void): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const bytes of body) {
      text += decoder.decode(bytes, { stream: true })
      const frames = text.split('\n\n')
      text = frames.pop() ?? ''
      for (const frame of frames) {
        const data = frame.split('\n').find((line) => line.startsWith(DATA))
        if (data !== undefined) yield { data: data.slice(DATA.length) }
      }
    }
  } finally {
    close()
  }
}
