// A lexicon as it is sent, as it is stored, and two of them as one.
import { DOMAIN_NAME, type Lexicon, LONGEST_WORD, MOST_DOMAINS, MOST_WORDS } from '@tether/contract'
import { type Refusal, refuse } from '../../kernel/http/index.ts'
import {
  isObject,
  type Json,
  member,
  parseJson,
  shown,
  stringifyJson,
  turnOf,
  type Work,
} from '../../kernel/json/index.ts'
import { normalized } from '../../kernel/text/index.ts'

const invalid = (message: string): Refusal => refuse('invalid_suggestion', message)

/** Words that are read before other requests get a turn: some 2 ms, whatever they are. */
const WORDS_PER_TURN = 1_000

/** Reads a lexicon out of a body, or refuses it with what is wrong first. */
export function* readLexicon(body: unknown): Work<Lexicon> {
  const sent = isObject(body) ? member(body, 'lexicon') : undefined
  if (!isObject(sent)) {
    throw invalid('Send `lexicon`, an object of domains with their words: `{"lexicon": {"returns": ["refund"]}}`.')
  }
  const domains = Object.entries(sent)
  if (domains.length === 0 || domains.length > MOST_DOMAINS) {
    throw invalid(`\`lexicon\` has ${domains.length} domains. It takes 1 to ${MOST_DOMAINS}.`)
  }
  const read: [string, string[]][] = []
  const isTurnOver = turnOf(WORDS_PER_TURN)
  for (const [domain, sent] of domains) {
    const words = readWords(readDomain(domain), sent)
    read.push([domain, words])
    if (isTurnOver(words.length)) yield
  }
  return Object.fromEntries(read)
}

/** The same for the pack itself, which may be cleared. */
export function* readPackLexicon(body: unknown): Work<Lexicon> {
  return isObject(body) && isEmpty(member(body, 'lexicon')) ? {} : yield* readLexicon(body)
}

const isEmpty = (value: Json | undefined): boolean => isObject(value) && Object.keys(value).length === 0

function readDomain(domain: string): string {
  if (DOMAIN_NAME.test(domain)) return domain
  throw invalid(
    `${shown(domain)} cannot be a domain. Use lower-case letters, digits and \`_\`, at most 64, and a letter first.`,
  )
}

function readWords(domain: string, words: Json): string[] {
  if (!Array.isArray(words) || words.length === 0 || words.length > MOST_WORDS) {
    throw invalid(`\`lexicon.${domain}\` must be a list of 1 to ${MOST_WORDS} words.`)
  }
  return folded(words.map((word, at) => readWord(word, `lexicon.${domain}[${at}]`)))
}

function readWord(word: Json, where: string): string {
  const text = typeof word === 'string' ? word.trim() : ''
  const fits = text !== '' && isShort(text) && text.isWellFormed() && !/\p{Cc}/u.test(text)
  if (fits) return text
  throw invalid(`\`${where}\` must be a word or a phrase on one line, of 1 to ${LONGEST_WORD} characters.`)
}

const isShort = (text: string): boolean => text.length <= LONGEST_WORD || Array.from(text).length <= LONGEST_WORD

/** Words of one spelling are one word. */
export const spellingOf = (word: string): string => normalized(word, 'NFC').toLowerCase()

/** The first spelling of a word stays. */
function folded(words: readonly string[]): string[] {
  const bySpelling = new Map<string, string>()
  for (const word of words) {
    const key = spellingOf(word)
    if (!bySpelling.has(key)) bySpelling.set(key, word)
  }
  return [...bySpelling.values()]
}

/** Adds the words of `more`. A sum that is too large is refused, because a cut one would be neither's. */
export function* merged(pack: Lexicon, more: Lexicon): Work<Lexicon> {
  const domains = new Map(Object.entries(pack))
  const isTurnOver = turnOf(WORDS_PER_TURN)
  for (const [domain, words] of Object.entries(more)) {
    const sum = [...(domains.get(domain) ?? []), ...words]
    domains.set(domain, folded(sum))
    if (isTurnOver(sum.length)) yield
  }
  if (domains.size > MOST_DOMAINS) {
    throw tooLarge(`${domains.size} domains`, `${MOST_DOMAINS} domains`)
  }
  for (const [domain, words] of domains) {
    if (words.length > MOST_WORDS) throw tooLarge(`${words.length} words in "${domain}"`, `${MOST_WORDS} words`)
  }
  return Object.fromEntries(domains)
}

const tooLarge = (found: string, most: string): Refusal =>
  invalid(
    `Together with the pack there would be ${found}, and ${most} is the most. The suggestion is still pending: shorten the pack, accept with \`"mode": "replace"\`, or dismiss it.`,
  )

export const storedLexicon = (lexicon: Lexicon): string => stringifyJson(lexicon)

/** What we stored is what we checked. */
export const lexiconOf = (text: string): Lexicon => parseJson(text) as Lexicon
