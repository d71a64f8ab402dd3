// The same stream read by four programs: nothing but fetch and a parser of thirty lines, our adapter, the AI SDK's provider
// package alone, and its `streamText`. Each answers what it read and when it read the first word.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { streamText } from 'ai'
import { openModel } from '../../server/src/kernel/model/index.ts'

export type Streamed = { readonly text: string; readonly firstMs: number }
export type Peer = () => Promise<Streamed>
export type Peers = { readonly bare: Peer; readonly ours: Peer; readonly provider: Peer; readonly streamText: Peer }

const SYSTEM = 'You are the assistant of a shop. Answer briefly.'
const QUESTION = 'Where is my order A-1001?'

export function openPeers(baseUrl: string): Peers {
  const sdk = createOpenAICompatible({ name: 'bench', baseURL: baseUrl, apiKey: 'none', includeUsage: true })
  return {
    bare: () => bare(`${baseUrl}/chat/completions`),
    ours: ours(baseUrl),
    provider: () => timed(providerWords(sdk)),
    streamText: () => timed(textStreamOf(sdk)),
  }
}

async function timed(words: AsyncIterable<string>, started = performance.now()): Promise<Streamed> {
  let text = ''
  let firstMs = 0
  for await (const word of words) {
    if (text === '') firstMs = performance.now() - started
    text += word
  }
  return { text, firstMs }
}

const body = JSON.stringify({
  model: 'bench',
  messages: [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: QUESTION },
  ],
  max_tokens: 500,
  stream: true,
  stream_options: { include_usage: true },
})

type Chunk = { readonly choices: readonly { readonly delta: { readonly content?: string } }[] }

const bare = (url: string): Promise<Streamed> => timed(bareWords(url))

/** No faults, no limits, no calls: the least that a program can do to show the words. */
async function* bareWords(url: string): AsyncGenerator<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer none' },
    body,
  })
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of response.body ?? []) {
    const events = (rest + decoder.decode(bytes, { stream: true })).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) {
      const data = event.slice('data: '.length)
      if (data === '[DONE]') return
      const content = (JSON.parse(data) as Chunk).choices[0]?.delta.content
      if (content) yield content
    }
  }
}

function ours(baseUrl: string): Peer {
  const provider = {
    kind: 'openai-compatible',
    baseUrl,
    apiKey: 'none',
    timeoutSeconds: 60,
    silenceSeconds: 30,
  } as const
  const model = openModel(provider, Date.now)
  const request = {
    model: 'bench',
    messages: [
      { role: 'system', text: SYSTEM },
      { role: 'user', text: QUESTION },
    ],
    tools: [],
    maxOutputTokens: 500,
  } as const
  return () => timed(wordsOf(model.stream(request, new AbortController().signal)))
}

async function* wordsOf(
  parts: AsyncIterable<{ readonly type: string; readonly text?: string }>,
): AsyncGenerator<string> {
  for await (const part of parts) if (part.type === 'text' && part.text !== undefined) yield part.text
}

type Sdk = ReturnType<typeof createOpenAICompatible>

async function* providerWords(sdk: Sdk): AsyncGenerator<string> {
  const { stream } = await sdk('bench').doStream({
    prompt: [
      { role: 'system', content: SYSTEM },
      { role: 'user', content: [{ type: 'text', text: QUESTION }] },
    ],
    maxOutputTokens: 500,
  })
  for await (const part of stream) if (part.type === 'text-delta') yield part.delta
}

async function* textStreamOf(sdk: Sdk): AsyncGenerator<string> {
  yield* streamText({ model: sdk('bench'), system: SYSTEM, prompt: QUESTION, maxOutputTokens: 500 }).textStream
}
