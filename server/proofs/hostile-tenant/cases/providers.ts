// What a provider copies to its businesses: each of them pays for it at once, and again when there is nothing to change.
import { type HostileCase, json, type Maker, times } from '../case.ts'
import type { Stage } from '../stage.ts'
import { lexicon, MARKED_WORDS, ORDINARY_WORDS } from './lexicons.ts'

const BUSINESSES = 5

type Equip = (ask: (method: string, path: string, body: unknown) => Promise<unknown>) => Promise<unknown>

async function pushing(stage: Stage, part: string, equip: Equip): Promise<Maker> {
  const { ask, provider } = await stage.workspace()
  await equip(ask)
  const key = await provider()
  for (const name of times(BUSINESSES, (index) => `Business ${index}`)) {
    await stage.ask(key, 'POST', '/v1/provider/tenants', { name, configuration: [] })
  }
  return () => ({ key, method: 'PUT', path: '/v1/provider/configuration', body: json({ parts: [part] }) })
}

const pushed = (name: string, part: string, hostile: Equip, harmless: Equip): HostileCase => ({
  name: `a push of ${name}`,
  prepare: async (stage) => ({
    hostile: await pushing(stage, part, hostile),
    harmless: await pushing(stage, part, harmless),
  }),
})

const packing =
  (words: (domain: number, word: number) => string): Equip =>
  (ask) =>
    ask('PUT', '/v1/domain-pack', { lexicon: lexicon(words) })

export const providerCases: readonly HostileCase[] = [
  pushed('a pack of marks upon marks', 'domain_pack', packing(MARKED_WORDS), packing(ORDINARY_WORDS)),
]
