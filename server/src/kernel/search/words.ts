// What is compared: words without case, marks and Georgian endings, and the short runs of letters ("grams") that a word is
// made of. Grams still meet where an ending, a verb's form or a typing error keeps the words apart.
import { normalized } from '../text/index.ts'
import { georgianStem } from './georgian-endings.ts'

const WORD = /[\p{L}\p{N}]+/gu
const GEORGIAN = /[ა-ჰ]/
const GEORGIAN_ONLY = /^[ა-ჰ]+$/
/** These scripts write no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
/** Longer "words" are addresses and codes. */
const LONGEST_WORD = 64

/** Folded, so that case, marks and a dotless i make no difference. Mtavruli capitals become ordinary letters. */
const folded = (text: string): string =>
  normalized(text, 'NFKD').toLowerCase().replace(/\p{M}/gu, '').replaceAll('ı', 'i').replaceAll('ß', 'ss')

export const wordsOf = (text: string): string[] =>
  (folded(text).match(WORD) ?? []).map((word) => (word.length > LONGEST_WORD ? word.slice(0, LONGEST_WORD) : word))

export const stemOf = georgianStem

export const hasGeorgian = (text: string): boolean => GEORGIAN.test(text)

/** How many letters a gram of this word has. Georgian says in three letters what others say in four. */
const gramLength = (word: string): number => (GEORGIAN_ONLY.test(word) ? 3 : UNSPACED.test(word) ? 2 : 4)

/** The grams of a word, with its edges marked. A word shorter than a gram is one gram. */
export function gramsOf(word: string): string[] {
  const length = gramLength(word)
  const marked = `_${word}_`
  if (marked.length <= length) return [marked]
  const grams: string[] = []
  for (let at = 0; at + length <= marked.length; at++) grams.push(marked.slice(at, at + length))
  return grams
}

const OFFSET = 0x811c9dc5
const PRIME = 0x01000193

/** FNV-1a. Among the terms of one tenant, two rarely share a hash, and then one chunk is found that should not be. */
export function hashOf(text: string): number {
  let hash = OFFSET
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME)
  return hash >>> 0
}

/**
 * Words that say how something is asked and not what about. They carry no weight when we judge whether a text fits a
 * question at all: in a business with few texts their rarity tells nothing.
 */
const SAYS_LITTLE = new Set(
  `a about am an and any are as at be been but by can could d did do does doing for from had has have having he her here him his how i if in into is
  it its just like ll m me more most my no not of on one or our out please re s she should so some such t tell than thank thanks that the their them
  then there these they this those to too up us ve very want was we were what when where which while who whom whose why will with would you your
  და რომ არის იყო იქნება რა რას ვინ ვის როდის სად საიდან როგორ რატომ რამდენი რომელი რომელიც რომლის რომელმა თუ მე შენ თქვენ ჩვენ ეს ის იმ ამ მას მის
  მისი მათი ჩემი შენი თქვენი ჩვენი მინდა შეიძლება შემიძლია უნდა გთხოვთ ხომ არ არა ვერ კი ან აქვს მაქვს გაქვთ გაქვს ძალიან ასევე მაგრამ უფრო ერთი სხვა
  მიერ შესახებ რადგან რაც ვარ ხართ ხარ აქ იქ მეც შენც იგი ისინი ესენი მათ მათს იმას ამას ამის იმის ამით იმით მისმა მისს მისთვის მათთვის ჩემს ჩემმა
  ჩემთვის ჩემთან შენს შენთვის თქვენს თქვენმა თქვენთან თქვენთვის თქვენგან ჩვენს ჩვენმა ჩვენთვის ჩვენთან ასეთი ასეთ ისეთი ისეთ ასე ისე ამიტომ იმიტომ
  რის რით რისი რისთვის რაში რაზე რამდენ რამდენად რამდენით რამდენია რამდენიმე რომელ რომელია რომელს რომლები რომლებიც რომელიმე როგორი როგორია როგორც
  როდემდე როდიდან საით სადაც სადმე სადაა ვინც ვისი ვინმე ვისაც არიან აღარ ნუ გინდა გინდათ მსურს მინდოდა შეგიძლია შეგიძლიათ შეგვიძლია შეუძლია
  შესაძლებელია აქვთ გვაქვს მქონდეს ჰქონდეს გქონდეთ ექნება მაინტერესებს მითხარით მითხარი მჭირდება გჭირდებათ საჭიროა თუკი ხოლო აგრეთვე ანუ რათა როცა
  როდესაც სანამ ვიდრე მაშინ თან ყველაზე მხოლოდ უკვე კიდევ ახლა მაინც შემდეგ დროს შორის მიხედვით გთხოვ დიახ გამარჯობა გმადლობთ მადლობა`
    .split(/\s+/)
    .filter(Boolean),
)

export const saysLittle = (word: string): boolean => SAYS_LITTLE.has(word)
