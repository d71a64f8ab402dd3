import { cautions, disagreements } from './agreement.ts'
import { find, type Gathered, gather, type SettingsInput } from './gather.ts'
import { unknownNames } from './names.ts'
import { type DeclaredSetting, everySetting, fullName, type Settings, schema } from './schema.ts'
import type { AnySetting, EnvironmentName, Lookup, Members } from './setting.ts'
import { HIDDEN, serverUrls } from './shapes.ts'
import type { SettingEntry, SettingFault, SettingSource, SettingWarning } from './sources.ts'
import { findRows } from './table-rows.ts'

/** One setting as it was read, with enough to print it and nothing that must stay secret. */
export type SettingReading = { readonly name: string; readonly shown: string; readonly source: string }

type Report = { readonly warnings: readonly SettingWarning[]; readonly sources: readonly SettingReading[] }

export type Loaded =
  | (Report & {
      readonly ok: true
      readonly settings: Settings
      /** The values of all secret settings, which the log masks wherever they appear. */
      readonly secrets: readonly string[]
    })
  | (Report & { readonly ok: false; readonly faults: readonly SettingFault[] })

/** Reports every fault of every source at once, so that nobody has to start a deployment ten times to repair it. */
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
  // A value that we could not read has its own fault, so we cannot compare it with others.
  if (faults.length === 0) {
    faults.push(...disagreements((name) => values.get(name)))
    warnings.push(...cautions((name) => values.get(name)))
  }
  const sources = outcomes.map(({ reading }) => reading)
  if (faults.length > 0) return { ok: false, faults, warnings, sources }
  const settings = asSettings(nest(schema, [], values))
  return { ok: true, settings, warnings, sources, secrets: outcomes.flatMap(secretTexts) }
}

const valuesOf = (outcomes: readonly ReadSetting[]) =>
  new Map(outcomes.map(({ declared, value }) => [declared.name, value]))

type ReadSetting = {
  readonly declared: DeclaredSetting
  readonly value: unknown
  readonly reading: SettingReading
  readonly faults: readonly SettingFault[]
  readonly warnings: readonly SettingWarning[]
}

function secretTexts({ declared, value }: ReadSetting): string[] {
  if (!declared.setting.shape.secret) return []
  const texts = [value].flat().filter((one) => typeof one === 'string')
  const addresses = texts.flatMap((text) => text.match(/[a-z]+:\/\/\S+/gi) ?? [])
  const passwords = addresses.map((one) => URL.parse(serverUrls(one)[0])?.password ?? '')
  return [...texts, ...passwords, ...passwords.map(decodedPassword)].filter((text) => text !== '')
}

function decodedPassword(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function readAll({ sources, environment }: Gathered): ReadSetting[] {
  const taken = everySetting.map((declared) => takeValue(declared, entryFor(sources, declared)))
  const values = new Map(taken.map(({ declared, value }) => [declared.name, value]))
  const lookup: Lookup = (name) => values.get(name)
  for (const { declared, state } of taken) {
    const { absent } = declared.setting
    if (state === 'absent' && absent.is === 'derived') values.set(declared.name, absent.derive(lookup))
  }
  return taken.map((one) => checkValue({ ...one, value: lookup(one.declared.name) }, environment, lookup))
}

const entryFor = (sources: readonly SettingSource[], declared: DeclaredSetting): SettingEntry | undefined =>
  declared.setting.shape.isTable === true ? findRows(sources, declared) : find(sources, declared)

type TakenValue = {
  readonly declared: DeclaredSetting
  /** `absent` with an entry means an empty value of an optional setting. */
  readonly state: 'given' | 'wrong' | 'absent'
  readonly value: unknown
  readonly entry: SettingEntry | undefined
}

function takeValue(declared: DeclaredSetting, entry: SettingEntry | undefined): TakenValue {
  const { absent, shape } = declared.setting
  const byDefault = absent.is === 'value' ? absent.value : undefined
  if (entry === undefined) return { declared, state: 'absent', value: byDefault, entry }
  const empty = entry.raw === null || (typeof entry.raw === 'string' && entry.raw.trim() === '')
  if (empty && absent.is !== 'value') return { declared, state: 'absent', value: undefined, entry }
  const read = shape.type.safeParse(entry.raw)
  return { declared, state: read.success ? 'given' : 'wrong', value: read.data, entry }
}

function checkValue(taken: TakenValue, environment: EnvironmentName, lookup: Lookup): ReadSetting {
  const { declared, state, value } = taken
  const { name, setting } = declared
  const message =
    state === 'wrong' ? wrongShape(taken) : (missingFault(taken, environment, lookup) ?? unsafe(taken, environment))
  const advice = state === 'wrong' ? undefined : setting.advise?.(value, environment)
  return {
    declared,
    value,
    reading: { name, shown: state === 'wrong' ? '(wrong)' : show(setting, value), source: sourceName(taken) },
    faults: message === undefined ? [] : [{ setting: name, message }],
    warnings: advice === undefined ? [] : [{ setting: name, message: `${name}: ${advice}` }],
  }
}

const sourceName = ({ declared, state, entry }: TakenValue): string =>
  entry === undefined || (state === 'absent' && declared.setting.absent.is === 'derived') ? 'default' : entry.from

const show = ({ shape }: AnySetting, value: unknown): string => (value === undefined ? '' : shape.show(value))

const LONGEST_SHOWN = 80

function wrongShape({ declared, entry }: TakenValue): string {
  const { name, setting } = declared
  return `${name} is ${showRaw(setting, entry?.raw)} (from ${entry?.from}), but it must be ${setting.shape.expects}.`
}

function showRaw({ shape }: AnySetting, raw: unknown): string {
  if (shape.secret) return typeof raw === 'string' ? `a hidden value of ${raw.trim().length} characters` : HIDDEN
  const text = JSON.stringify(raw) ?? String(raw)
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text
}

function missingFault(
  { declared, state, value }: TakenValue,
  environment: EnvironmentName,
  lookup: Lookup,
): string | undefined {
  const { name, setting } = declared
  const { needed, absent } = setting
  const everywhere = absent.is === 'refused' || needed?.everywhere === true
  if (!needed || (state === 'given' && value !== '') || !(everywhere || environment === 'Production')) return undefined
  return needed.unless?.(lookup) ? undefined : `${name} is missing. ${needed.make}`
}

function unsafe({ declared, value, entry }: TakenValue, environment: EnvironmentName): string | undefined {
  if (environment !== 'Production' || value === undefined) return undefined
  const reason = declared.setting.unsafe?.why(value)
  return reason && `${declared.name} (from ${entry?.from ?? 'its default'}) is unsafe in Production. ${reason}`
}

/** Warns of the one way in which Development's defaults could slip into a deployment unnoticed. */
function forgottenEnvironment({ env }: SettingsInput, { environment, sources }: Gathered): SettingWarning[] {
  if (env.NODE_ENV !== 'production' || environment !== 'Development' || find(sources, { name: 'Environment' }))
    return []
  return [
    {
      setting: 'Environment',
      message:
        'NODE_ENV is production, but Environment is not set, so this is Development. Set Environment=Production.',
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

// The cast is true because the branches follow the schema, and the shape that gives a leaf its type has read it.
const asSettings = (root: object): Settings => root as unknown as Settings
