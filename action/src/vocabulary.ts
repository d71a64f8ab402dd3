// The words of the domains: which are new to the pack, and, where that is asked for, suggesting them. A person accepts them, or does not.
import { code, cut } from './markdown.ts'
import { Failed } from './problem.ts'
import type { Service } from './tether.ts'
import type { Workspace } from './workspace.ts'

type Lexicon = Readonly<Record<string, readonly string[]>>
export type VocabularyReport = {
  readonly path: string
  /** By domain, those that the pack does not have. */
  readonly fresh: Lexicon
  /** The suggestion that waits. */
  readonly suggestion: string | null
  readonly isSent: boolean
}

type Asking = {
  readonly service: Service
  readonly workspace: Workspace
  readonly file: string
  readonly isSent: boolean
  readonly note: string
}

const LONGEST_NOTE = 500

/** @throws Failed */
export async function suggestWords({ service, workspace, file, isSent, note }: Asking): Promise<VocabularyReport> {
  const lexicon = readLexicon(workspace.read(file), file)
  const fresh = without(lexicon, await service.lexicon())
  const isNew = Object.keys(fresh).length > 0
  if (!isSent || !isNew) return { path: file, fresh, suggestion: null, isSent }
  const source = workspace.sourceOf(file)
  const made = await service.suggest({ lexicon: copyOf(lexicon), source, note: cut(note, LONGEST_NOTE) })
  return { path: file, fresh, suggestion: made.id, isSent }
}

const copyOf = (lexicon: Lexicon): Record<string, string[]> =>
  Object.fromEntries(Object.entries(lexicon).map(([domain, words]) => [domain, [...words]]))

const folded = (word: string): string => word.trim().normalize('NFC').toLowerCase()

function without(lexicon: Lexicon, pack: Lexicon): Lexicon {
  const fresh = Object.entries(lexicon).map(([domain, words]): [string, readonly string[]] => {
    const known = new Set((Object.hasOwn(pack, domain) ? (pack[domain] ?? []) : []).map(folded))
    return [domain, words.filter((word) => !known.has(folded(word)))]
  })
  return Object.fromEntries(fresh.filter(([, words]) => words.length > 0))
}

/** Alone, or as the body of `PUT /v1/domain-pack`. What a word may be is for the service to say. */
function readLexicon(text: string, file: string): Lexicon {
  const next = 'Write an object of domains with their words: {"returns": ["refund", "send back"]}.'
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Failed({ what: `${code(file)} is not JSON.`, said: error instanceof Error ? error.message : '', next })
  }
  const lexicon = isObject(value) && isObject(value.lexicon) ? value.lexicon : value
  if (!isLexicon(lexicon)) throw new Failed({ what: `${code(file)} holds no words.`, next })
  return lexicon
}

const isLexicon = (value: unknown): value is Lexicon =>
  isObject(value) &&
  Object.values(value).every((words) => Array.isArray(words) && words.every((word) => typeof word === 'string'))

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
