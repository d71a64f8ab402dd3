// What the rooms take that came after the first attack: documents, words of a pack, documents of an API, messages of an agent, decisions.
import { type HostileCase, json, type Maker, members, repeated, times } from '../case.ts'
import { ordinaryTool, prose } from '../ordinary.ts'
import type { Stage } from '../stage.ts'
import type { Shot } from '../wire.ts'

const MARKS = repeated(`a${'\u0301\u0316'.repeat(15)}`, 48_000)
const VOICED = '\uff9e\u0316'.repeat(20_000)
const LIGATURES = '\ufdfa'.repeat(40_000)
const ONE_WORD = 'z'.repeat(49_000)

type Sent = Pick<Shot, 'method' | 'path'> & { readonly body?: unknown }

/** Both as the same workspace would send them. */
const sending = (name: string, hostile: Sent, harmless: Sent, catalog: readonly object[] = []): HostileCase => ({
  name,
  async prepare(stage) {
    const maker = async ({ body, ...sent }: Sent): Promise<Maker> => {
      const { apiKey: key } = await stage.workspace(catalog)
      const bytes = body === undefined ? Buffer.alloc(0) : json(body)
      return () => ({ key, ...sent, body: bytes })
    }
    return { hostile: await maker(hostile), harmless: await maker(harmless) }
  },
})

const document = (text: string): Sent => ({
  method: 'POST',
  path: '/v1/knowledge',
  body: { name: 'returns', format: 'markdown', text, replace: true },
})
const documents = ([name, text]: readonly [string, string]): HostileCase =>
  sending(`a document of ${name}`, document(text), document(prose(text.length)))

const asking = (stage: Stage, text: string, question: string) => async (): Promise<Maker> => {
  const { apiKey: key, ask } = await stage.workspace()
  await ask('POST', '/v1/knowledge', { name: 'returns', text })
  const path = `/v1/knowledge/search?q=${encodeURIComponent(question)}`
  return () => ({ key, method: 'GET', path, body: Buffer.alloc(0) })
}
const searched = (name: string, text: string, question: string): HostileCase => ({
  name: `a search ${name}`,
  prepare: async (stage) => ({
    hostile: await asking(stage, text, question)(),
    harmless: await asking(stage, prose(text.length), prose(question.length))(),
  }),
})

const drafting = (name: string, paths: object, components: object = {}): HostileCase =>
  sending(
    `the document of an API with ${name}`,
    draft(paths, components),
    draft(ordinaryPaths(json(draft(paths, components)).length)),
  )
const draft = (paths: object, components: object = {}): Sent => ({
  method: 'POST',
  path: '/v1/tools/import',
  body: { document: { openapi: '3.1.0', info: { title: 'x', version: '1' }, paths, components }, baseUrl: HOST },
})
const HOST = 'https://api.example.com'
const operation = (more: object) => ({ get: { responses: { 200: { description: 'ok' } }, ...more } })
const ordinaryPath = (index: number) =>
  operation({ summary: prose(200, index), parameters: [{ name: 'q', in: 'query', schema: { type: 'string' } }] })
const ordinaryPaths = (bytes: number) =>
  members(Math.ceil(bytes / (json(ordinaryPath(1234)).length + 12)), '/p', (index) => ordinaryPath(index))
const chain = members(400, 's', (index) => ({ $ref: `#/components/parameters/s${index + 1}` }))
const shared = times(200, (index) => ({ name: `q${index}`, in: 'query', schema: { type: 'string' } }))

const message = (name: string, given: unknown) => ({
  jsonrpc: '2.0',
  method: 'tools/call',
  params: { name, arguments: given },
})
const told = (name: string, messages: unknown, harmless: unknown): HostileCase =>
  sending(
    `messages of an agent: ${name}`,
    { method: 'POST', path: '/mcp', body: messages },
    { method: 'POST', path: '/mcp', body: harmless },
    [{ ...ordinaryTool(0), is_write: false, name: 'get_order' }],
  )
const batch = (make: (index: number) => unknown) => times(50, (id) => ({ ...message('get_order', make(id)), id }))
const nested = (depth: number): unknown => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)

const writing = {
  ...ordinaryTool(2),
  name: 'write_note',
  is_write: true,
  parameters: { type: 'object', properties: { note: { type: 'string' } } },
}
const amended = async (stage: Stage, note: string): Promise<Maker> => {
  const { apiKey: key, ask } = await stage.workspace([writing])
  return async () => {
    const given = { tool: 'write_note', arguments: { note: 'x' } }
    const { actionId } = await ask<{ actionId: string }>('POST', '/v1/actions', given)
    return { key, method: 'POST', path: `/v1/actions/${actionId}/amend`, body: json({ arguments: { note } }) }
  }
}
const decided = (ids: (index: number) => string): Sent => ({
  method: 'POST',
  path: '/v1/actions/decide',
  body: { decisions: times(50, (index) => ({ actionId: ids(index), decision: 'reject', reason: prose(900) })) },
})

export const roomCases: readonly HostileCase[] = [
  ...(
    [
      ['marks upon marks', MARKS],
      ['letters that become marks', VOICED],
      ['signs that stand for eighteen', LIGATURES],
      ['one word', ONE_WORD],
      ['headings without end', repeated('# \n', 49_000)],
      ['lists in lists', repeated('> - ', 49_000)],
      ['quotes and fences', repeated('```\n`', 49_000)],
      ['short words that all differ', times(9_000, (index) => index.toString(36)).join(' ')],
    ] as const
  ).map(documents),
  searched('for one word in a document of one word', ONE_WORD, 'z'.repeat(1_000)),
  searched('for many words that all fit', repeated('ab ', 49_000), repeated('ab ', 1_900)),
  drafting(
    'a chain of references',
    members(400, '/p', (index) => operation({ parameters: [{ $ref: `#/components/parameters/s${index}` }] })),
    { parameters: chain },
  ),
  drafting(
    'the same parameters everywhere',
    members(480, '/p', () => ({ parameters: shared, get: {} })),
  ),
  drafting(
    'templates in every segment',
    members(400, `/${'{a}/'.repeat(60)}`, () => operation({})),
  ),
  drafting(
    'operations of one name',
    members(4_000, '/p', () => operation({ operationId: 'same' })),
  ),
  told(
    'deep arguments',
    batch(() => nested(60)),
    batch(() => ({ number: 'A-1' })),
  ),
  told(
    'numbers that are kept as written',
    batch(() => ({ number: times(3_000, () => 1e1) })),
    batch(() => ({ number: prose(15_000) })),
  ),
  told(
    'names that nobody has',
    times(50, (id) => ({ ...message('n'.repeat(15_000), {}), id })),
    batch(() => ({ number: prose(15_000) })),
  ),
  {
    name: 'an amended argument of letters that become marks',
    prepare: async (stage) => ({
      hostile: await amended(stage, repeated('\uff9e\u0316', 250_000)),
      harmless: await amended(stage, prose(250_000)),
    }),
  },
  sending(
    'fifty decisions about nothing',
    decided((index) => `${'%'.repeat(100)}${index}`),
    decided((index) => `019aa7a1-6c2e-7b1f-9d3a-2f4c5e6d${String(1000 + index)}`),
  ),
]
