export type ServerEvent = { readonly id: string; readonly data: string }

/**
 * Reads server-sent events by the standard: CR, LF and CR LF end a line, a comment is no event, and an event without its blank
 * line at the end was cut off and does not count.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  alive: () => void,
): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  let id = ''
  let data: string[] = []
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      alive()
      rest += decoder.decode(value, { stream: true })
      // A CR at the very end may be the first half of a CR LF, so it waits for the next bytes.
      const lines = rest.split(/\r\n|\n|\r(?!$)/)
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const [, field, content = ''] = /^(\w+): ?(.*)$/s.exec(line) ?? []
        if (field === 'id') id = content
        if (field === 'data') data.push(content)
        if (line !== '' || data.length === 0) continue
        yield { id, data: data.join('\n') }
        data = []
      }
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}
