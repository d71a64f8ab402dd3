// Chat Completions by nothing but fetch and a parser of twenty lines: the least that a program can do.
import type { Message, ModelCall } from '../../server/src/kernel/model/index.ts'

type Piece = {
  readonly index: number
  readonly id?: string
  readonly function: { readonly name?: string; readonly arguments?: string }
}
export type Delta = { readonly content?: string; readonly tool_calls?: readonly Piece[] }
type Chunk = {
  readonly choices: readonly { readonly delta: Delta; readonly finish_reason: string | null }[]
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number }
}

export async function* chunksOf(baseUrl: string, body: object, signal?: AbortSignal): AsyncGenerator<Chunk> {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer none' },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  })
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of response.body ?? []) {
    const events = (rest + decoder.decode(bytes, { stream: true })).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) {
      const data = event.slice('data: '.length)
      if (data === '[DONE]') return
      yield JSON.parse(data)
    }
  }
}

/** Calls from their pieces. */
export function gatherCalls(): { take(pieces: readonly Piece[]): void; readonly calls: ModelCall[] } {
  const calls: { id: string; name: string; arguments: string }[] = []
  return {
    take(pieces) {
      for (const { index, id = '', function: said } of pieces) {
        calls[index] ??= { id, name: said.name ?? '', arguments: '' }
        calls[index].arguments += said.arguments ?? ''
      }
    },
    calls,
  }
}

export function onWire(message: Message): object {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.callId, content: message.text }
  const calls = message.role === 'assistant' ? (message.calls ?? []) : []
  const toolCalls = calls.map(({ id, name, arguments: given }) => ({
    id,
    type: 'function',
    function: { name, arguments: given },
  }))
  return { role: message.role, content: message.text, ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}) }
}
