// Schemas that a tenant may register: every one is within the size that a catalog may have.
import { type HostileCase, json, members, repeated, times } from '../case.ts'
import { catalog } from '../ordinary.ts'

const tool = (index: number, parameters: object) => ({
  name: `tool_${index}`,
  description: 'Does what a tool of this proof does, and nothing else.',
  is_write: false,
  parameters: { type: 'object', ...parameters },
})

const validated = (name: string, tools: readonly object[]): HostileCase => ({
  name,
  async prepare(stage) {
    const { apiKey: key } = await stage.workspace()
    const body = json(tools)
    const shot = { key, method: 'POST', path: '/v1/tools/validate' } as const
    return {
      hostile: () => ({ ...shot, body }),
      harmless: () => ({ ...shot, body: json(catalog(body.length)) }),
    }
  },
})

const nested = (depth: number, id: (level: number) => string): object =>
  depth === 0 ? {} : { $id: id(depth), properties: { a: nested(depth - 1, id) } }

const SCRIPTS =
  'Latin Greek Cyrillic Georgian Armenian Hebrew Arabic Syriac Thaana Devanagari Bengali Thai Lao Tibetan Myanmar Ethiopic Cherokee Ogham Runic Khmer Mongolian Hiragana Katakana Bopomofo Han Yi Gothic Deseret Tagalog Limbu'.split(
    ' ',
  )

export const schemaCases: readonly HostileCase[] = [
  validated('a schema whose names are all resolved against one long address', [
    tool(0, {
      $id: `https://shop.example/${repeated('x', 100_000)}/`,
      $defs: members(4_000, 'd', (index) => ({ $id: `e${index}` })),
    }),
  ]),
  validated('a schema whose references all lead through one long address', [
    tool(0, {
      $id: `https://shop.example/${repeated('x', 100_000)}/`,
      $defs: { a: { $id: 'a' } },
      anyOf: times(6_000, () => ({ $ref: 'a' })),
    }),
  ]),
  validated('pointers through schemas that each have an address of their own', [
    tool(0, {
      properties: { a: nested(30, (level) => `${repeated('y', 1_000)}${level}/`) },
      anyOf: times(400, () => ({ $ref: `#${'/properties/a'.repeat(30)}` })),
    }),
  ]),
  validated(
    'schemas of eighty thousand empty schemas each',
    times(30, (index) => tool(index, { anyOf: times(80_000, () => ({})) })),
  ),
  validated(
    'references to everything from everywhere',
    times(14, (index) =>
      tool(index, {
        $defs: members(160, 'd', () => ({ anyOf: times(60, (to) => ({ $ref: `#/$defs/d${to}` })) })),
        anyOf: [{ $ref: '#/$defs/d0' }],
      }),
    ),
  ),
  validated('a pattern of nothing but Unicode properties', [
    tool(0, {
      properties: members(7, 'p', (index) => ({
        pattern: `[${times(600, (at) => `\\p{Script=${SCRIPTS[(at + index) % SCRIPTS.length]}}`).join('')}]`,
      })),
    }),
  ]),
  validated(
    'members that no tool has, in every tool',
    times(8, (index) => ({ ...tool(index, {}), ...members(70_000, 'isWrit', () => 0) })),
  ),
  validated('arguments of a binding that are none', [
    { ...tool(0, {}), http: { method: 'GET', path: '/a', arguments: members(600_000, 'k', () => 0) } },
  ]),
  validated('a path with a million holes', [
    { ...tool(0, {}), http: { method: 'GET', path: `/${repeated('{a}', 7_500_000)}` } },
  ]),
  validated('a check with half a million keys', [
    { ...tool(0, {}), is_write: true, precondition: members(600_000, 'k', () => 0) },
  ]),
  validated('a catalog of empty lists', [{ ...tool(0, {}), x: times(2_600_000, () => []) }]),
]
