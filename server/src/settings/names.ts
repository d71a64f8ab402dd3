// Names that nobody declared: most often a typing error, and then the value silently does nothing.
import { everySetting } from './schema.ts'
import { type Entry, fold, type Source, type Warning } from './sources.ts'
import { isCellOf } from './table-rows.ts'

const NAMES = everySetting.map(({ name }) => name)

/** The names of all settings, folded. */
export const KNOWN: ReadonlySet<string> = new Set(NAMES.map(fold))

const TABLES = everySetting.filter(({ setting }) => setting.shape.isTable === true).map(({ name }) => name)

const sectionOf = (name: string): string => name.split(':', 1)[0] ?? name
const SECTIONS = [...new Set(NAMES.map(sectionOf))]

export function unknownNames(sources: readonly Source[]): Warning[] {
  return sources.flatMap((source) => [...source.values()].flatMap((entry) => judge(entry) ?? []))
}

function judge({ name, from, kind }: Entry): Warning | undefined {
  if (KNOWN.has(fold(name)) || TABLES.some((table) => isCellOf(table, name))) return undefined
  const section = SECTIONS.find((one) => fold(one) === fold(sectionOf(name)))
  // The environment is full of variables that are none of our business; a file of settings is not.
  if (kind === 'variable' && (section === undefined || !name.includes(':'))) return undefined
  const candidates = section === undefined ? SECTIONS : NAMES.filter((one) => sectionOf(one) === section)
  const given = section === undefined ? sectionOf(name) : name
  const what = section === undefined ? 'section' : 'setting'
  return {
    setting: name,
    message: `${name} (from ${from}) has no effect: there is no ${what} ${given}. The nearest ${what} is ${nearest(given, candidates)}.`,
  }
}

export function nearest(name: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const distance = editDistance(fold(name), fold(candidate))
    if (distance < least) [best, least] = [candidate, distance]
  }
  return best
}

/** How many letters must be put in, taken out or replaced to make one word of the other. */
export function editDistance(one: string, other: string): number {
  let previous = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (const [row, letter] of [...one].entries()) {
    const current = [row + 1]
    for (const [column, against] of [...other].entries()) {
      const replaced = (previous[column] ?? 0) + (letter === against ? 0 : 1)
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1))
    }
    previous = current
  }
  return previous[other.length] ?? one.length
}
