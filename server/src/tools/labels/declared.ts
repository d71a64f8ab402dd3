// The `labels` of a tool, as a business declares them: {"ka": {"title": "…", "parameters": {"<argument>": "…"}}, "en": {…}}.
import { Language, type ToolLabels } from '@tether/contract'
import { isObject, type Json, type JsonObject, shown } from '../../kernel/json/index.ts'
import { onOneLine } from '../../kernel/text/index.ts'

export const LONGEST_LABEL = 120

/** A text that people read as it is written. */
export const isOneLine = (value: Json | undefined): value is string =>
  typeof value === 'string' &&
  value.trim() !== '' &&
  [...value].length <= LONGEST_LABEL &&
  value.isWellFormed() &&
  // No line break, and nothing that would not be seen.
  onOneLine(value) === value

type LabelsRead = {
  /** What could be read of them. */
  readonly labels: ToolLabels
  /** Where the rest is wrong, each with what stands there. */
  readonly faults: readonly string[]
}

const MEMBERS = ['title', 'parameters']
const LANGUAGES: readonly string[] = Language.options

/** `takes` says whether the tool has such an argument. */
export function readLabels(sent: Json, takes: (argument: string) => boolean = () => true): LabelsRead {
  if (!isObject(sent)) return { labels: {}, faults: [`labels is ${shown(sent)}`] }
  const faults = strangers(sent, LANGUAGES).map((name) => `${shown(name)} is not one of ${LANGUAGES.join(', ')}`)
  const read = Language.options.flatMap((language) => {
    const said = sent[language] ?? null
    if (said === null) return []
    if (!isObject(said)) {
      faults.push(`${language} is ${shown(said)}`)
      return []
    }
    faults.push(...strangers(said, MEMBERS).map((name) => `${language}.${name} is neither title nor parameters`))
    const title = titleOf(said, language, faults)
    const parameters = parametersOf(said, { language, takes, faults })
    return [[language, { ...title, ...parameters }] as const]
  })
  return { labels: Object.fromEntries(read), faults }
}

const strangers = (sent: JsonObject, known: readonly string[]): string[] =>
  Object.keys(sent).filter((name) => !known.includes(name))

function titleOf(said: JsonObject, language: Language, faults: string[]): { title?: string } {
  const title = said.title ?? null
  if (title === null) return {}
  if (isOneLine(title)) return { title: title.trim() }
  faults.push(`${language}.title is ${shown(title)}`)
  return {}
}

type Reading = {
  readonly language: Language
  readonly takes: (argument: string) => boolean
  readonly faults: string[]
}

function parametersOf(said: JsonObject, { language, takes, faults }: Reading): { parameters?: Record<string, string> } {
  const sent = said.parameters ?? null
  if (sent === null) return {}
  const at = `${language}.parameters`
  if (!isObject(sent)) {
    faults.push(`${at} is ${shown(sent)}`)
    return {}
  }
  const read = new Map<string, string>()
  for (const [name, label] of Object.entries(sent)) {
    if (label === null) continue
    if (!takes(name)) faults.push(`${at}.${name} is not an argument`)
    else if (!isOneLine(label)) faults.push(`${at}.${name} is ${shown(label ?? null)}`)
    else if ([...read.values()].includes(label.trim())) faults.push(`${at} says ${shown(label)} of two arguments`)
    else read.set(name, label.trim())
  }
  return { parameters: Object.fromEntries(read) }
}
