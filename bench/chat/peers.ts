// The same turn by three programs: nothing but fetch and a parser, ours (frames as text, as they go over the wire), and
// `streamText` of the AI SDK. Each answers what it read and when it read the first word. With tools, the turn has two rounds
// and four reads between them, the read being a function of this process.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { jsonSchema, stepCountIs, streamText, tool } from 'ai'
import type { Message } from '../../server/src/kernel/model/index.ts'
import { ok, rigged, shopCatalog } from '../../server/src/talk/chat/fixtures/parts.ts'
import { runTurn } from '../../server/src/talk/chat/turn/run-turn.ts'
import { chunksOf, gatherCalls, onWire } from './bare-model.ts'
import { realModel } from './real-model.ts'

export type Streamed = { readonly text: string; readonly firstMs: number }
export type Peer = () => Promise<Streamed>
export type Peers = { readonly bare: Peer; readonly ours: Peer; readonly streamText: Peer }

const SYSTEM = 'You are the assistant of a shop. Answer briefly.'
const QUESTION = 'Where are my orders?'
const PARAMETERS = { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] } as const
const READ = { name: 'get_order', description: 'Shows one order of the shop by its number.', parameters: PARAMETERS }

const read = async (given: object) => ({ ...given, state: 'shipped', total: 129.5 })

export const openPeers = (baseUrl: string, withTools: boolean): Peers => ({
  bare: () => bare(baseUrl, withTools),
  ours: ours(baseUrl, withTools),
  streamText: () => sdk(baseUrl, withTools),
})

async function bare(baseUrl: string, withTools: boolean): Promise<Streamed> {
  const started = performance.now()
  const messages: Message[] = [
    { role: 'system', text: SYSTEM },
    { role: 'user', text: QUESTION },
  ]
  const tools = withTools ? { tools: [{ type: 'function', function: READ }] } : {}
  for (;;) {
    let [text, firstMs] = ['', 0]
    const gathered = gatherCalls()
    const asked = { model: 'bench', messages: messages.map(onWire), ...tools, max_tokens: 500, stream: true }
    for await (const { choices } of chunksOf(baseUrl, { ...asked, stream_options: { include_usage: true } })) {
      const { content, tool_calls } = choices[0]?.delta ?? {}
      if (content && text === '') firstMs = performance.now() - started
      text += content ?? ''
      if (tool_calls !== undefined) gathered.take(tool_calls)
    }
    const { calls } = gathered
    if (calls.length === 0) return { text, firstMs }
    const results = await Promise.all(calls.map((call) => read(JSON.parse(call.arguments))))
    messages.push({ role: 'assistant', text, calls })
    for (const [index, { id, name }] of calls.entries()) {
      messages.push({ role: 'tool', callId: id, name, text: JSON.stringify(results[index]) })
    }
  }
}

function ours(baseUrl: string, withTools: boolean): Peer {
  const catalog = shopCatalog(withTools ? [{ ...READ, is_write: false }] : [])
  const { parts, turn } = rigged({ model: realModel(baseUrl), catalog, turn: { prompt: QUESTION } })
  // Without tools nothing is offered, as to the others.
  const asked = withTools ? turn : { ...turn, offering: { ...turn.offering, offered: [] } }
  const reading = {
    ...parts,
    read: async (_: unknown, input: { arguments: object }) => ok(await read(input.arguments)),
  }
  const dropped = { keep: async () => {}, record: () => {} }
  const spending = { reserve: async () => ({ ok: true, holdId: null }) as const, settle: () => {} }
  return async () => {
    const started = performance.now()
    let [text, firstMs, bytes] = ['', 0, 0]
    for await (const frame of runTurn({ ...reading, ...dropped, spending }, asked, new AbortController().signal)) {
      bytes += JSON.stringify(frame).length
      if (frame.type === 'error') throw new Error(frame.message)
      if (frame.type !== 'delta') continue
      if (text === '') firstMs = performance.now() - started
      text += frame.text
    }
    if (bytes === 0) throw new Error('No frame came.')
    return { text, firstMs }
  }
}

async function sdk(baseUrl: string, withTools: boolean): Promise<Streamed> {
  const started = performance.now()
  const maker = createOpenAICompatible({ name: 'bench', baseURL: baseUrl, apiKey: 'none', includeUsage: true })
  const inputSchema = jsonSchema<{ number: string }>(PARAMETERS)
  const tools = { [READ.name]: tool({ description: READ.description, inputSchema, execute: read }) }
  const { textStream } = streamText({
    model: maker('bench'),
    system: SYSTEM,
    prompt: QUESTION,
    maxOutputTokens: 500,
    ...(withTools ? { tools, stopWhen: stepCountIs(3) } : {}),
  })
  let [text, firstMs] = ['', 0]
  for await (const word of textStream) {
    if (text === '') firstMs = performance.now() - started
    text += word
  }
  return { text, firstMs }
}
