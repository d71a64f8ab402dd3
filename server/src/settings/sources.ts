// Where values come from. Each source becomes one flat table of names, so that the rest need not know its kind.
import type { Declared } from './schema.ts'

export type Fault = {
  /** The setting, or what could not be read. */
  readonly setting: string
  /** A sentence that says what is wrong and what to do next. Holds no secret. */
  readonly message: string
}

export type Warning = Fault

export type Entry = {
  readonly name: string
  readonly raw: unknown
  /** For people: 'config/production.json', 'the environment variable PORT'. */
  readonly from: string
  readonly kind: 'variable' | 'file' | 'generated'
}
export type Source = ReadonlyMap<string, Entry>

export type Findings = { readonly faults: Fault[]; readonly warnings: Warning[] }

export type Environment = { readonly [variable: string]: string | undefined }

export const fold = (name: string): string => name.toLowerCase()

/** Puts entries into one table; a setting given twice with two values is a fault, because which one wins would be chance. */
export function tableOf(entries: Iterable<Entry>, known: ReadonlySet<string>, { faults }: Findings): Source {
  const table = new Map<string, Entry>()
  for (const entry of entries) {
    const earlier = table.get(fold(entry.name))
    if (earlier && known.has(fold(entry.name)) && JSON.stringify(earlier.raw) !== JSON.stringify(entry.raw)) {
      faults.push({
        setting: entry.name,
        message: `${entry.name} is given twice with different values, by ${earlier.from} and by ${entry.from}. Keep one of them.`,
      })
    }
    table.set(fold(entry.name), entry)
  }
  return table
}

/** `Signup__MaxPerIpPerDay=5` → `Signup:MaxPerIpPerDay`. */
export function fromVariables(env: Environment): Entry[] {
  return Object.entries(env).flatMap(([variable, raw]) =>
    raw === undefined
      ? []
      : [{ name: variable.replaceAll('__', ':'), raw, from: `the environment variable ${variable}`, kind: 'variable' }],
  )
}

/** `PORT`, `DATABASE_URL` and the like. */
export function fromAliases(env: Environment, declared: readonly Declared[]): Entry[] {
  return declared.flatMap(({ name, setting }) => {
    const { alias } = setting
    const given = alias && env[alias.variable]
    if (!alias || given === undefined) return []
    const raw = alias.convert ? alias.convert(given) : given
    return raw === undefined
      ? []
      : [{ name, raw, from: `the environment variable ${alias.variable}`, kind: 'variable' }]
  })
}

/** Nested objects and flat `A:B` names; a key that starts with `//` is a remark. */
export function fromJson(text: string, file: string, known: ReadonlySet<string>, { faults }: Findings): Entry[] {
  let content: unknown
  try {
    content = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    // The parser's message quotes the text around the fault, and that text may be a secret: only its position is kept.
    const place = /\(line \d+ column \d+\)/.exec(String(error))?.[0] ?? ''
    faults.push({ setting: file, message: `${file} is not valid JSON ${place}`.trim().concat('. Correct it.') })
    return []
  }
  if (isObject(content)) return flatten(content, '', file, known)
  faults.push({
    setting: file,
    message: `${file} must hold one JSON object, such as {"RateLimit": {"RuntimePerMinute": 5}}.`,
  })
  return []
}

function flatten(object: object, prefix: string, file: string, known: ReadonlySet<string>): Entry[] {
  return Object.entries(object).flatMap(([key, raw]) => {
    if (key.startsWith('//')) return []
    const name = `${prefix}${key}`
    const deeper = isObject(raw) && !known.has(fold(name))
    return deeper ? flatten(raw, `${name}:`, file, known) : [{ name, raw, from: file, kind: 'file' }]
  })
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
