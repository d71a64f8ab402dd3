// Prompts, and the catalogs that are looked through for them. No model is asked: these are answered by our own rules.
import { type HostileCase, json, type Maker, members, repeated, times } from '../case.ts'
import { ordinaryTool, prose } from '../ordinary.ts'
import type { Stage } from '../stage.ts'

const LONGEST_PROMPT = 8_000

async function asking(stage: Stage, prompt: string, catalog: readonly object[], before: readonly string[] = []) {
  const { apiKey: key, ask } = await stage.workspace(catalog)
  let sessionId: string | null = null
  for (const earlier of before) {
    sessionId = (await ask<{ sessionId: string }>('POST', '/v1/chat', { prompt: earlier, sessionId })).sessionId
  }
  const maker: Maker = () => ({ key, method: 'POST', path: '/v1/chat', body: json({ prompt, sessionId }) })
  return maker
}

const asked = (
  name: string,
  prompt: string,
  catalog: readonly object[],
  before: readonly string[] = [],
): HostileCase => ({
  name,
  prepare: async (stage) => ({
    hostile: await asking(stage, prompt, catalog, before),
    harmless: await asking(
      stage,
      prose(prompt.length),
      times(20, (index) => ordinaryTool(index)),
      before.map((earlier) => prose(earlier.length)),
    ),
  }),
})

const word = (index: number): string => `z${(index % 9_000).toString(36).padStart(3, '0')}`
const words = (count: number, from = 0): string => times(count, (index) => word(from + index)).join(' ')

const lookup = (properties: object) => [
  {
    ...ordinaryTool(0),
    name: 'find_thing',
    is_write: false,
    description: 'Finds a thing by its number, and tells where it is.',
    parameters: { type: 'object', properties, required: Object.keys(properties) },
  },
]
const question = repeated('find thing 12 ', LONGEST_PROMPT)
const many = 900

export const promptCases: readonly HostileCase[] = [
  asked(
    'five thousand tools of rare words for a prompt of rare words',
    words(LONGEST_PROMPT / 5),
    times(5_000, (index) => ({ ...ordinaryTool(index), description: words(200, index * 13) })),
  ),
  // As large together as the bound of a schema's patterns lets them be.
  asked(
    'a prompt about very many arguments with patterns',
    question,
    lookup(members(many, 'p', () => ({ type: 'string', pattern: '^(?:a|b){1,9}y$' }))),
  ),
  asked(
    'a prompt about very many arguments with choices',
    question,
    lookup(members(many, 'p', () => ({ enum: ['a', 'b'] }))),
    times(4, () => question),
  ),
  asked(
    'a prompt about very many numbers',
    question,
    lookup(members(many, 'p', () => ({ type: 'integer' }))),
    times(4, () => question),
  ),
  asked(
    'a prompt about very many codes',
    repeated('a1-', LONGEST_PROMPT),
    lookup(members(many, 'id_no_', () => ({ type: 'string' }))),
    times(4, () => question),
  ),
]
