import { disagreements } from './agreement.ts'
import { find, type Gathered, gather, type SettingsInput } from './gather.ts'
import { unknownNames } from './names.ts'
import { type Declared, everySetting, fullName, type Settings, schema } from './schema.ts'
import type { AnySetting, EnvironmentName, Lookup, Members } from './setting.ts'
import { HIDDEN } from './shapes.ts'
import type { Entry, Fault, Source, Warning } from './sources.ts'
import { findRows } from './table-rows.ts'

/** One setting as it was read: enough to print it, nothing that must not be printed. */
export type Reading = { readonly name: string; readonly shown: string; readonly source: string }

type Report = { readonly warnings: readonly Warning[]; readonly sources: readonly Reading[] }

export type Loaded =
  | (Report & {
      readonly ok: true
      readonly settings: Settings
      /** The values of all secret settings: what the log masks wherever it appears. */
      readonly secrets: readonly string[]
    })
  | (Report & { readonly ok: false; readonly faults: readonly Fault[] })

/** Names every fault of every source at once: who repairs a deployment should not have to start it ten times. */
export function loadSettings(input: SettingsInput): Loaded {
  const gathered = gather(input)
  const { faults, warnings } = gathered.findings
  warnings.push(...unknownNames(gathered.sources), ...forgottenEnvironment(input, gathered))
  const outcomes = readAll(gathered)
  for (const outcome of outcomes) {
    faults.push(...outcome.faults)
    warnings.push(...outcome.warnings)
  }
  const values = valuesOf(outcomes)
  // A value that cannot be read has its own fault, and says nothing about the others.
  if (faults.length === 0) faults.push(...disagreements((name) => values.get(name)))
  const sources = outcomes.map(({ reading }) => reading)
  if (faults.length > 0) return { ok: false, faults, warnings, sources }
  const settings = asSettings(nest(schema, [], values))
  return { ok: true, settings, warnings, sources, secrets: outcomes.flatMap(secretTexts) }
}

const valuesOf = (outcomes: readonly Outcome[]) =>
  new Map(outcomes.map(({ declared, value }) => [declared.name, value]))

type Outcome = {
  readonly declared: Declared
  readonly value: unknown
  readonly reading: Reading
  readonly faults: readonly Fault[]
  readonly warnings: readonly Warning[]
}

function secretTexts({ declared, value }: Outcome): string[] {
  if (!declared.setting.shape.secret) return []
  const texts = [value].flat().filter((one) => typeof one === 'string')
  const passwords = texts.map((text) => URL.parse(text)?.password ?? '')
  return [...texts, ...passwords, ...passwords.map(decoded)].filter((text) => text !== '')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function readAll({ sources, environment }: Gathered): Outcome[] {
  const taken = everySetting.map((declared) => take(declared, given(sources, declared)))
  const values = new Map(taken.map(({ declared, value }) => [declared.name, value]))
  const lookup: Lookup = (name) => values.get(name)
  for (const { declared, state } of taken) {
    const { absent } = declared.setting
    if (state === 'absent' && absent.is === 'derived') values.set(declared.name, absent.derive(lookup))
  }
  return taken.map((one) => judge({ ...one, value: lookup(one.declared.name) }, environment, lookup))
}

const given = (sources: readonly Source[], declared: Declared): Entry | undefined =>
  declared.setting.shape.isTable === true ? findRows(sources, declared) : find(sources, declared)

type Taken = {
  readonly declared: Declared
  /** Empty values of settings that may be absent are `absent` with an entry. */
  readonly state: 'given' | 'wrong' | 'absent'
  readonly value: unknown
  readonly entry: Entry | undefined
}

function take(declared: Declared, entry: Entry | undefined): Taken {
  const { absent, shape } = declared.setting
  const byDefault = absent.is === 'value' ? absent.value : undefined
  if (entry === undefined) return { declared, state: 'absent', value: byDefault, entry }
  const empty = entry.raw === null || (typeof entry.raw === 'string' && entry.raw.trim() === '')
  if (empty && absent.is !== 'value') return { declared, state: 'absent', value: undefined, entry }
  const read = shape.type.safeParse(entry.raw)
  return { declared, state: read.success ? 'given' : 'wrong', value: read.data, entry }
}

function judge(taken: Taken, environment: EnvironmentName, lookup: Lookup): Outcome {
  const { declared, state, value } = taken
  const { name, setting } = declared
  const message =
    state === 'wrong' ? wrongShape(taken) : (missing(taken, environment, lookup) ?? unsafe(taken, environment))
  const advice = state === 'wrong' ? undefined : setting.advise?.(value, environment)
  return {
    declared,
    value,
    reading: { name, shown: state === 'wrong' ? '(wrong)' : show(setting, value), source: sourceOf(taken) },
    faults: message === undefined ? [] : [{ setting: name, message }],
    warnings: advice === undefined ? [] : [{ setting: name, message: `${name}: ${advice}` }],
  }
}

const sourceOf = ({ declared, state, entry }: Taken): string =>
  entry === undefined || (state === 'absent' && declared.setting.absent.is === 'derived') ? 'default' : entry.from

const show = ({ shape }: AnySetting, value: unknown): string => (value === undefined ? '' : shape.show(value))

const LONGEST_SHOWN = 80

function wrongShape({ declared, entry }: Taken): string {
  const { name, setting } = declared
  return `${name} is ${showRaw(setting, entry?.raw)} (from ${entry?.from}), and ${setting.shape.expects} is expected.`
}

function showRaw({ shape }: AnySetting, raw: unknown): string {
  if (shape.secret) return typeof raw === 'string' ? `a hidden value of ${raw.trim().length} characters` : HIDDEN
  const text = JSON.stringify(raw) ?? String(raw)
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text
}

function missing({ declared, state, value }: Taken, environment: EnvironmentName, lookup: Lookup): string | undefined {
  const { name, setting } = declared
  const { needed, absent } = setting
  const everywhere = absent.is === 'refused' || needed?.everywhere === true
  if (!needed || (state === 'given' && value !== '') || !(everywhere || environment === 'Production')) return undefined
  return needed.unless?.(lookup) ? undefined : `${name} is missing. ${needed.make}`
}

function unsafe({ declared, value, entry }: Taken, environment: EnvironmentName): string | undefined {
  if (environment !== 'Production' || value === undefined) return undefined
  const reason = declared.setting.unsafe?.why(value)
  return reason && `${declared.name} (from ${entry?.from ?? 'its default'}) is unsafe in Production. ${reason}`
}

/** The one way in which a newcomer's default could slip into a deployment unseen. */
function forgottenEnvironment({ env }: SettingsInput, { environment, sources }: Gathered): Warning[] {
  if (env.NODE_ENV !== 'production' || environment !== 'Development' || find(sources, { name: 'Environment' }))
    return []
  return [
    {
      setting: 'Environment',
      message:
        'NODE_ENV is production, and Environment is not set, so this is Development. Set Environment=Production.',
    },
  ]
}

function nest(members: Members, names: readonly string[], values: ReadonlyMap<string, unknown>): object {
  const entries = Object.entries(members).map(([key, member]) => {
    if (member.type === 'section') return [key, nest(member.members, [...names, member.name], values)]
    return [key, values.get(fullName(names, key))]
  })
  return Object.freeze(Object.fromEntries(entries))
}

// True because the branches follow the schema, and every leaf was read by the shape that gives its type.
const asSettings = (root: object): Settings => root as unknown as Settings
