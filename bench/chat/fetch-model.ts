// Chat Completions by nothing but fetch and a parser of twenty lines: the least that a program can do. The peers of a turn
// all stand on it, so that what is compared is the turn.
import type { Message, Model, ModelCall, ModelRequest } from '../../server/src/foundation/model/index.ts'

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

export const fetchModel = (baseUrl: string): Model => ({
  kind: 'fetch',
  async *stream(request, signal) {
    const gathered = gatherCalls()
    for await (const { choices, usage } of chunksOf(baseUrl, bodyOf(request), signal)) {
      const { content, tool_calls } = choices[0]?.delta ?? {}
      if (content) yield { type: 'text', text: content }
      if (tool_calls !== undefined) gathered.take(tool_calls)
      if (usage !== undefined) {
        yield { type: 'usage', usage: { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens } }
      }
    }
    for (const call of gathered.calls) yield { type: 'call', call }
    yield { type: 'finish', reason: gathered.calls.length > 0 ? 'calls' : 'stop' }
  },
})

const bodyOf = ({ model, messages, tools, maxOutputTokens }: ModelRequest): object => ({
  model,
  messages: messages.map(onWire),
  ...(tools.length > 0 ? { tools: tools.map((tool) => ({ type: 'function', function: tool })) } : {}),
  max_tokens: maxOutputTokens,
  stream: true,
  stream_options: { include_usage: true },
})

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
