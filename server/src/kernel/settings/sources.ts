// The sources of values. Each becomes one flat table of names, so that the rest of the code need not know its kind.
import type { DeclaredSetting } from './schema.ts'

export type SettingFault = {
  /** The setting, or the source that could not be read. */
  readonly setting: string
  /** Says what is wrong and what to do next, and contains no secret. */
  readonly message: string
}

export type SettingWarning = SettingFault

export type SettingEntry = {
  readonly name: string
  readonly raw: unknown
  /** The source in words, such as 'config/production.json' or 'the environment variable PORT'. */
  readonly from: string
  readonly kind: 'variable' | 'file' | 'generated'
}
export type SettingSource = ReadonlyMap<string, SettingEntry>

export type Findings = { readonly faults: SettingFault[]; readonly warnings: SettingWarning[] }

export type Environment = { readonly [variable: string]: string | undefined }

export const foldName = (name: string): string => name.toLowerCase()

/**
 * Puts entries into one table. A setting with two different values is a fault, because chance would decide between
 * them.
 */
export function tableOf(
  entries: Iterable<SettingEntry>,
  known: ReadonlySet<string>,
  { faults }: Findings,
): SettingSource {
  const table = new Map<string, SettingEntry>()
  for (const entry of entries) {
    const earlier = table.get(foldName(entry.name))
    if (earlier && known.has(foldName(entry.name)) && JSON.stringify(earlier.raw) !== JSON.stringify(entry.raw)) {
      faults.push({
        setting: entry.name,
        message: `${entry.name} is given twice with different values, by ${earlier.from} and by ${entry.from}. Keep one of them.`,
      })
    }
    table.set(foldName(entry.name), entry)
  }
  return table
}

/** `Signup__MaxPerIpPerDay=5` → `Signup:MaxPerIpPerDay`. */
export function fromVariables(env: Environment): SettingEntry[] {
  return Object.entries(env).flatMap(([variable, raw]) =>
    raw === undefined
      ? []
      : [{ name: variable.replaceAll('__', ':'), raw, from: `the environment variable ${variable}`, kind: 'variable' }],
  )
}

/** `PORT`, `DATABASE_URL` and the like. */
export function fromAliases(env: Environment, declared: readonly DeclaredSetting[]): SettingEntry[] {
  return declared.flatMap(({ name, setting }) => {
    const { alias } = setting
    const given = alias && Object.hasOwn(env, alias.variable) ? env[alias.variable] : undefined
    if (!alias || given === undefined) return []
    const raw = alias.convert ? alias.convert(given) : given
    return raw === undefined
      ? []
      : [{ name, raw, from: `the environment variable ${alias.variable}`, kind: 'variable' }]
  })
}

/** Reads nested objects and flat `A:B` names. A key that starts with `//` is a remark. */
export function fromJson(text: string, file: string, known: ReadonlySet<string>, { faults }: Findings): SettingEntry[] {
  let content: unknown
  try {
    content = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    // The parser's message quotes the text around the error, which may be a secret, so we keep only its position.
    const place = /\(line \d+ column \d+\)/.exec(String(error))?.[0] ?? ''
    faults.push({ setting: file, message: `${file} is not valid JSON ${place}`.trim().concat('. Correct it.') })
    return []
  }
  if (isObject(content)) return flatten(content, '', file, known)
  faults.push({
    setting: file,
    message: `${file} must contain one JSON object, such as {"RateLimit": {"RuntimePerMinute": 5}}.`,
  })
  return []
}

function flatten(object: object, prefix: string, file: string, known: ReadonlySet<string>): SettingEntry[] {
  return Object.entries(object).flatMap(([key, raw]) => {
    if (key.startsWith('//')) return []
    const name = `${prefix}${key}`
    const deeper = isObject(raw) && !known.has(foldName(name))
    return deeper ? flatten(raw, `${name}:`, file, known) : [{ name, raw, from: file, kind: 'file' }]
  })
}

export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
