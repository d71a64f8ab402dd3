// Warns of names that nobody declared. They are usually typing errors, and the value would silently do nothing.
import { everySetting } from './schema.ts'
import { foldName, type SettingEntry, type SettingSource, type SettingWarning } from './sources.ts'
import { isCellOf } from './table-rows.ts'

const NAMES = everySetting.map(({ name }) => name)

/** The folded names of all settings. */
export const KNOWN_NAMES: ReadonlySet<string> = new Set(NAMES.map(foldName))

const TABLES = everySetting.filter(({ setting }) => setting.shape.isTable === true).map(({ name }) => name)

const sectionOf = (name: string): string => name.split(':', 1)[0] ?? name
const SECTIONS = [...new Set(NAMES.map(sectionOf))]

export function unknownNames(sources: readonly SettingSource[]): SettingWarning[] {
  return sources.flatMap((source) => [...source.values()].flatMap((entry) => unknownNameWarning(entry) ?? []))
}

function unknownNameWarning({ name, from, kind }: SettingEntry): SettingWarning | undefined {
  if (KNOWN_NAMES.has(foldName(name)) || TABLES.some((table) => isCellOf(table, name))) return undefined
  const section = SECTIONS.find((one) => foldName(one) === foldName(sectionOf(name)))
  // Most variables of the environment are none of our business, but everything in a file of settings is.
  if (kind === 'variable' && (section === undefined || !name.includes(':'))) return undefined
  const candidates = section === undefined ? SECTIONS : NAMES.filter((one) => sectionOf(one) === section)
  const given = section === undefined ? sectionOf(name) : name
  const what = section === undefined ? 'section' : 'setting'
  return {
    setting: name,
    message: `${name} (from ${from}) has no effect, because there is no ${what} ${given}. The closest ${what} is ${closestName(given, candidates)}.`,
  }
}

export function closestName(name: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined
  let least = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const distance = editDistance(foldName(name), foldName(candidate))
    if (distance < least) [best, least] = [candidate, distance]
  }
  return best
}

/** How many letters must be added, removed or replaced to turn one word into the other. */
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
