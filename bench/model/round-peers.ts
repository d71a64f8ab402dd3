// A turn of two rounds with four reads between them, the reads being a function of this process: by nothing but fetch and a
// parser, by our adapter under a loop of twenty lines, and by `streamText` of the AI SDK with its own loop.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { jsonSchema, stepCountIs, streamText, tool } from 'ai'
import { type Message, type ModelCall, openModel } from '../../server/src/foundation/model/index.ts'
import type { Peer, Streamed } from './peers.ts'

export type RoundPeers = { readonly bare: Peer; readonly ours: Peer; readonly streamText: Peer }

const SYSTEM = 'You are the assistant of a shop. Answer briefly.'
const QUESTION = 'Where are my four orders?'
const NAME = 'get_order'
const DESCRIPTION = 'Shows one order.'
const PARAMETERS = {
  type: 'object',
  properties: { number: { type: 'string' } },
  required: ['number'],
} as const

/** The read itself, so that only the turn around it differs. */
const read = async ({ number }: { readonly number: string }) => ({ number, state: 'shipped', total: 129.5 })

export function openRoundPeers(baseUrl: string): RoundPeers {
  const sdk = createOpenAICompatible({ name: 'bench', baseURL: baseUrl, apiKey: 'none', includeUsage: true })
  return { bare: () => bareTurn(baseUrl), ours: ourTurn(baseUrl), streamText: () => sdkTurn(sdk) }
}

type Piece = { index: number; id?: string; function: { name?: string; arguments?: string } }
type Delta = { readonly content?: string; readonly tool_calls?: readonly Piece[] }

async function bareTurn(baseUrl: string): Promise<Streamed> {
  const started = performance.now()
  const messages: object[] = [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: QUESTION },
  ]
  for (;;) {
    let text = ''
    let firstMs = 0
    const calls: { id: string; type: 'function'; function: { name: string; arguments: string } }[] = []
    for await (const { content, tool_calls = [] } of deltasOf(baseUrl, messages)) {
      if (content && text === '') firstMs = performance.now() - started
      text += content ?? ''
      for (const { index, id = '', function: said } of tool_calls) {
        calls[index] ??= { id, type: 'function', function: { name: said.name ?? '', arguments: '' } }
        calls[index].function.arguments += said.arguments ?? ''
      }
    }
    if (calls.length === 0) return { text, firstMs }
    const results = await Promise.all(calls.map((call) => read(JSON.parse(call.function.arguments))))
    messages.push({ role: 'assistant', content: null, tool_calls: calls })
    for (const [place, call] of calls.entries()) {
      messages.push({ role: 'tool', tool_call_id: call.id, content: JSON.stringify(results[place]) })
    }
  }
}

async function* deltasOf(baseUrl: string, messages: readonly object[]): AsyncGenerator<Delta> {
  const tools = [{ type: 'function', function: { name: NAME, description: DESCRIPTION, parameters: PARAMETERS } }]
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer none' },
    body: JSON.stringify({ model: 'bench', messages, tools, stream: true, stream_options: { include_usage: true } }),
  })
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of response.body ?? []) {
    const events = (rest + decoder.decode(bytes, { stream: true })).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) {
      const data = event.slice('data: '.length)
      if (data === '[DONE]') return
      const delta = (JSON.parse(data) as { choices: { delta: Delta }[] }).choices[0]?.delta
      if (delta !== undefined) yield delta
    }
  }
}

function ourTurn(baseUrl: string): Peer {
  const model = openModel(
    { provider: { kind: 'openai-compatible', baseUrl, apiKey: 'none', timeoutSeconds: 60, silenceSeconds: 30 } },
    Date.now,
  )
  const tools = [{ name: NAME, description: DESCRIPTION, parameters: PARAMETERS }]
  return async () => {
    const started = performance.now()
    const messages: Message[] = [
      { role: 'system', text: SYSTEM },
      { role: 'user', text: QUESTION },
    ]
    for (;;) {
      let text = ''
      let firstMs = 0
      const calls: ModelCall[] = []
      const request = { model: 'bench', messages, tools, maxOutputTokens: 500 }
      for await (const part of model.stream(request, new AbortController().signal)) {
        if (part.type === 'call') calls.push(part.call)
        if (part.type !== 'text') continue
        if (text === '') firstMs = performance.now() - started
        text += part.text
      }
      if (calls.length === 0) return { text, firstMs }
      const results = await Promise.all(calls.map((call) => read(JSON.parse(call.arguments))))
      messages.push({ role: 'assistant', text, calls })
      for (const [place, { id, name }] of calls.entries()) {
        messages.push({ role: 'tool', callId: id, name, text: JSON.stringify(results[place]) })
      }
    }
  }
}

async function sdkTurn(sdk: ReturnType<typeof createOpenAICompatible>): Promise<Streamed> {
  const started = performance.now()
  const inputSchema = jsonSchema<{ number: string }>(PARAMETERS)
  const { textStream } = streamText({
    model: sdk('bench'),
    system: SYSTEM,
    prompt: QUESTION,
    stopWhen: stepCountIs(3),
    tools: { [NAME]: tool({ description: DESCRIPTION, inputSchema, execute: read }) },
  })
  let text = ''
  let firstMs = 0
  for await (const word of textStream) {
    if (text === '') firstMs = performance.now() - started
    text += word
  }
  return { text, firstMs }
}
