// What a tenant's own endpoint answers, and what its catalog says of how the answer is trimmed.
import { type HostileCase, json, members, repeated, times } from '../case.ts'
import { lines, ordinaryTool } from '../ordinary.ts'

const BYTES = 250_000

const read = (name: string, result?: object) => ({
  ...ordinaryTool(0),
  name,
  is_write: false,
  parameters: { type: 'object' },
  ...(result === undefined ? {} : { result }),
})

const answered = (name: string, result: object, answer: unknown): HostileCase => ({
  name: `an answer of ${name}`,
  async prepare(stage) {
    const place = name.replaceAll(/[^a-z]+/g, '_').slice(0, 40)
    const [hostile, harmless] = [`get_${place}`, `got_${place}`]
    stage.answer(hostile, JSON.stringify(answer))
    stage.answer(harmless, JSON.stringify({ lines: lines(BYTES) }))
    const { apiKey: key } = await stage.workspace([
      read(hostile, result),
      read(harmless, { pick: ['lines.sku', 'lines.price'], max_items: 200 }),
    ])
    const shot = { key, method: 'POST', body: json({}) } as const
    return {
      hostile: () => ({ ...shot, path: `/v1/tools/${hostile}/call` }),
      harmless: () => ({ ...shot, path: `/v1/tools/${harmless}/call` }),
    }
  },
})

const long = repeated('y', 100_000)
const paths = (count: number, path: (index: number) => string) => times(count, path)

export const answerCases: readonly HostileCase[] = [
  answered('lists under a very long name', { max_items: 1 }, { [long]: members(11_000, 'k', () => [1, 2]) }),
  answered('members under a very long name', { pick: ['x.y'] }, { x: { [long]: 1, ...members(9_000, 'k', () => 1) } }),
  answered(
    'lists under long names, picked',
    { pick: ['a.b'], max_items: 1 },
    {
      a: { b: { [long]: members(11_000, 'k', () => [1, 2]) } },
    },
  ),
  answered(
    'empty lists for a hundred paths',
    { pick: paths(100, (at) => `a${at}.b`) },
    times(80_000, () => []),
  ),
  answered(
    'lists in lists for a hundred paths',
    { pick: paths(100, (at) => `a${at}`) },
    times(60_000, () => [[]]),
  ),
  answered(
    'items for numbers and names',
    { pick: [...paths(50, (at) => `${at}.x`), ...paths(50, (at) => `x${at}`)] },
    times(80_000, () => []),
  ),
]
