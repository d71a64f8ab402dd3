// A model provider on loopback, in a process of its own so that what it costs is not counted. It streams Chat Completions: fifty
// words; or, when tools are offered and no result stands in the conversation yet, four calls of the first tool. Each event is a
// write of its own.
import { createServer, type ServerResponse } from 'node:http'
import { setTimeout as pause, setImmediate } from 'node:timers/promises'

const WORDS = 50
const CALLS = 4
/** Between two events; 0 sends them as fast as they are read. */
const everyMs = Number(process.argv[3] ?? 0)
/** Before the first one. */
const firstMs = Number(process.argv[4] ?? 0)

const chunk = (delta: object, finish: string | null = null): object => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_763_000_000,
  model: 'bench',
  choices: [{ index: 0, delta, finish_reason: finish }],
})

const usage = {
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_763_000_000,
  model: 'bench',
  choices: [],
  usage: { prompt_tokens: 900, completion_tokens: WORDS, total_tokens: 900 + WORDS },
}

const words = [
  chunk({ role: 'assistant', content: '' }),
  ...Array.from({ length: WORDS }, (_, index) => chunk({ content: ` word${index}` })),
  chunk({}, 'stop'),
  usage,
]

function calls(name: string): object[] {
  const indices = Array.from({ length: CALLS }, (_, index) => index)
  const piece = (index: number, text: string) => chunk({ tool_calls: [{ index, function: { arguments: text } }] })
  return [
    ...indices.map((index) =>
      chunk({ tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name, arguments: '' } }] }),
    ),
    ...indices.flatMap((index) => [piece(index, '{"number":'), piece(index, `"A-100${index}"}`)]),
    chunk({}, 'tool_calls'),
    usage,
  ]
}

type Asked = {
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
  readonly messages: readonly { readonly role: string }[]
}

function eventsFor({ tools, messages }: Asked): object[] {
  const name = tools?.[0]?.function.name
  return name === undefined || messages.some(({ role }) => role === 'tool') ? words : calls(name)
}

async function play(response: ServerResponse, events: readonly object[]): Promise<void> {
  if (firstMs > 0) await pause(firstMs)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events) {
    response.write(`data: ${JSON.stringify(event)}\n\n`)
    await (everyMs > 0 ? pause(everyMs) : setImmediate())
  }
  response.end('data: [DONE]\n\n')
}

createServer(async (request, response) => {
  if (request.url === '/health') {
    response.end()
    return
  }
  const body = Buffer.concat(await request.toArray()).toString()
  await play(response, eventsFor(JSON.parse(body) as Asked))
}).listen(Number(process.argv[2]), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
