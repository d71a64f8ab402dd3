// The open sets of questions, each with the texts in which its answers stand. They are data of others and lie outside of the
// repository (RETRIEVAL_SETS names the folder).
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { sized } from '../parts/scale.ts'
import { georgianForms } from './georgian-forms.ts'
import type { Asked, Passage, QuestionSet } from './question-set.ts'
import { type TwoPartSet, twoPartSet } from './two-part.ts'

const FOLDER = process.env.RETRIEVAL_SETS ?? path.join(import.meta.dirname, '../../../shared/corpora/retrieval')

type Stored = {
  readonly documents: readonly (Passage & { readonly language?: string })[]
  readonly queries: readonly (Asked & { readonly language?: string })[]
}

const stored = (file: string): Stored => JSON.parse(readFileSync(path.join(FOLDER, `${file}.json`), 'utf8')) as Stored

/** All of them; in a smoke run a few, from everywhere among them. */
function someOf<Item>(all: readonly Item[]): readonly Item[] {
  const step = Math.ceil(all.length / sized(all.length, 20))
  return all.filter((_, at) => at % step === 0)
}

const readSet = (name: string, file: string, language?: string): QuestionSet => {
  const { documents, queries } = stored(file)
  const isOf = (one: { readonly language?: string }) => language === undefined || one.language === language
  return { name, passages: someOf(documents.filter(isOf)), questions: someOf(queries.filter(isOf)) }
}

/** Empty if the sets are not here. */
export function openSets(): QuestionSet[] {
  if (!existsSync(FOLDER)) return []
  return [
    ...['en', 'de', 'ru', 'tr'].map((language) => readSet(`xquad-${language}`, `xquad-${language}`)),
    readSet('cranfield', 'cranfield'),
    readSet('tau2-bank', 'tau2-bank-support'),
    readSet('faq-car ka', 'faq-car-alerts-ka-en', 'ka'),
    readSet('faq-shop ka', 'faq-shop-ka-en', 'ka'),
    georgianForms(georgianPassages()),
  ]
}

/** Two small English sets, for ranking only. Their questions overlap with the Georgian sets, so the thresholds are measured without them. */
export const openEnglishFaqs = (): QuestionSet[] =>
  existsSync(FOLDER)
    ? [readSet('faq-car en', 'faq-car-alerts-ka-en', 'en'), readSet('faq-shop en', 'faq-shop-ka-en', 'en')]
    : []

const PAIRS = { prose: 140, car: 40, shop: 20 } as const

/** Two hundred questions with two parts in English, and two hundred in Georgian. Empty if the sets are not here. */
export function openTwoPartSets(): TwoPartSet[] {
  if (!existsSync(FOLDER)) return []
  const faqs = (language: 'en' | 'ka') => [
    twoPartSet(language, readSet(`faq-car ${language}`, 'faq-car-alerts-ka-en', language), PAIRS.car),
    twoPartSet(language, readSet(`faq-shop ${language}`, 'faq-shop-ka-en', language), PAIRS.shop),
  ]
  return [
    twoPartSet('en', readSet('xquad-en', 'xquad-en'), PAIRS.prose),
    ...faqs('en'),
    twoPartSet('ka', georgianForms(georgianPassages()), PAIRS.prose),
    ...faqs('ka'),
  ]
}

/** Every Georgian text of the open sets. */
function georgianPassages(): Passage[] {
  const of = (file: string, language?: string) => readSet(file, file, language).passages
  const sentences = readFileSync(path.join(FOLDER, 'georgian-sentences.txt'), 'utf8').split('\n').filter(Boolean)
  const threes = Array.from({ length: sized(Math.ceil(sentences.length / 3), 20) }, (_, at) => ({
    id: `s${at}`,
    title: '',
    text: sentences.slice(at * 3, at * 3 + 3).join(' '),
  }))
  return [
    ...of('flores-sib200-ka').map(({ id, text }) => ({ id: `f${id}`, title: '', text })),
    ...of('udhr-ka').map(({ id, text }) => ({ id: `u${id}`, title: '', text })),
    ...of('faq-car-alerts-ka-en', 'ka').map(({ id, text }) => ({ id: `c${id}`, title: '', text })),
    ...of('faq-shop-ka-en', 'ka').map(({ id, text }) => ({ id: `b${id}`, title: '', text })),
    ...threes,
  ]
}
