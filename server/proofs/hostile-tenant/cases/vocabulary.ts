// The words of a pack as they come in: at once, as a suggestion, and with those that are there already.
import { type HostileCase, json, type Maker } from '../case.ts'
import type { Stage } from '../stage.ts'
import { lexicon, MARKED_WORDS, ORDINARY_WORDS, type WordOf } from './lexicons.ts'

const packing = async (stage: Stage, words: WordOf): Promise<Maker> => {
  const { apiKey: key } = await stage.workspace()
  return () => ({ key, method: 'PUT', path: '/v1/domain-pack', body: json({ lexicon: lexicon(words) }) })
}

const suggesting = async (stage: Stage, words: WordOf): Promise<Maker> => {
  const { apiKey: key } = await stage.workspace()
  return () => ({ key, method: 'POST', path: '/v1/domain-pack/suggestions', body: json({ lexicon: lexicon(words) }) })
}

async function accepting(stage: Stage, words: WordOf): Promise<Maker> {
  const { apiKey: key, ask } = await stage.workspace()
  const body = { lexicon: lexicon(words) }
  await ask('PUT', '/v1/domain-pack', body)
  return async () => {
    const { id } = await ask<{ id: string }>('POST', '/v1/domain-pack/suggestions', body)
    return { key, method: 'POST', path: `/v1/domain-pack/suggestions/${id}/accept`, body: json({ mode: 'merge' }) }
  }
}

async function asking(stage: Stage, words: WordOf): Promise<Maker> {
  const { apiKey: key, ask } = await stage.workspace()
  // The pack is read anew each time, because the one before was another version.
  return async () => {
    await ask('PUT', '/v1/domain-pack', { lexicon: lexicon(words) })
    return { key, method: 'POST', path: '/v1/chat', body: json({ prompt: 'Where is my order?' }) }
  }
}

const each = (name: string, prepare: (stage: Stage, words: WordOf) => Promise<Maker>, words: WordOf): HostileCase => ({
  name,
  prepare: async (stage) => ({
    hostile: await prepare(stage, words),
    harmless: await prepare(stage, ORDINARY_WORDS),
  }),
})

const ALIKE: WordOf = (domain, word) => `${'a '.repeat(20)}${domain} ${word}`

export const vocabularyCases: readonly HostileCase[] = [
  each('a pack of marks upon marks', packing, MARKED_WORDS),
  each('a pack of words that begin alike', packing, ALIKE),
  each('a suggestion of marks upon marks', suggesting, MARKED_WORDS),
  each('marks upon marks that are added to as many', accepting, MARKED_WORDS),
  each('a question beside a pack of marks upon marks', asking, MARKED_WORDS),
  each('a question beside a pack of words that begin alike', asking, ALIKE),
]
