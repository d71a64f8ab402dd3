// Reads every source and puts them in order. First, CONFIG_FILE and the variables determine the environment, and the
// environment determines the profile.
import { KNOWN_NAMES } from './names.ts'
import { type DeclaredSetting, everySetting } from './schema.ts'
import type { EnvironmentName } from './setting.ts'
import {
  type Environment,
  type Findings,
  foldName,
  fromAliases,
  fromJson,
  fromVariables,
  type SettingEntry,
  type SettingSource,
  tableOf,
} from './sources.ts'

export type SettingsInput = {
  readonly env: Environment
  /** Returns the text of a file, or undefined if there is no such file. */
  readFile(path: string): string | undefined
  /** The folder of `development.json` and `production.json`. */
  readonly profiles?: string
  /** The secrets that Development made, which rank above the defaults and below everything that a person wrote. */
  readonly generated?: readonly SettingEntry[]
}

export type Gathered = {
  /** The strongest source comes first. */
  readonly sources: readonly SettingSource[]
  readonly environment: EnvironmentName
  readonly findings: Findings
}

const ENVIRONMENT = 'environment'

export function gather(input: SettingsInput): Gathered {
  const { env, profiles = 'config', generated = [] } = input
  const findings: Findings = { faults: [], warnings: [] }
  const written = [
    tableOf(fromVariables(env), KNOWN_NAMES, findings),
    tableOf(fromAliases(env, everySetting), KNOWN_NAMES, findings),
    readNamedFile(input, findings),
  ]
  const environment = environmentOf(written)
  const profile = readProfile(`${profiles}/${foldName(environment)}.json`, input, findings)
  return { sources: [...written, profile, tableOf(generated, KNOWN_NAMES, findings)], environment, findings }
}

export function find(
  sources: readonly SettingSource[],
  { name }: Pick<DeclaredSetting, 'name'>,
): SettingEntry | undefined {
  for (const source of sources) {
    const entry = source.get(foldName(name))
    if (entry) return entry
  }
  return undefined
}

/** Any other word becomes a fault when the setting itself is read. Until then the stricter checks are off. */
function environmentOf(sources: readonly SettingSource[]): EnvironmentName {
  const declared = everySetting.find(({ name }) => foldName(name) === ENVIRONMENT)
  const raw = find(sources, { name: ENVIRONMENT })?.raw
  return declared?.setting.shape.type.safeParse(raw).data === 'Production' ? 'Production' : 'Development'
}

function readNamedFile(input: SettingsInput, findings: Findings): SettingSource {
  const path = input.env.CONFIG_FILE
  if (path === undefined || path.trim() === '') return new Map()
  return readJsonFile(path, input, findings, () =>
    findings.faults.push({
      setting: 'CONFIG_FILE',
      message: `CONFIG_FILE names ${path}, but there is no such file. Correct the path or unset CONFIG_FILE.`,
    }),
  )
}

function readProfile(path: string, input: SettingsInput, findings: Findings): SettingSource {
  const source = readJsonFile(path, input, findings, () =>
    findings.warnings.push({
      setting: path,
      message: `${path} is missing, so the defaults apply. It is part of the service. Put it back.`,
    }),
  )
  if (source.has(ENVIRONMENT)) {
    findings.faults.push({
      setting: 'Environment',
      message: `Environment cannot be set in ${path}, because it selects that file. Set the environment variable Environment instead.`,
    })
  }
  return source
}

function readJsonFile(path: string, input: SettingsInput, findings: Findings, whenMissing: () => void): SettingSource {
  let text: string | undefined
  try {
    text = input.readFile(path)
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown error'
    findings.faults.push({
      setting: path,
      message: `${path} could not be read (${reason}). Check that it exists and that this user may read it.`,
    })
    return new Map()
  }
  if (text === undefined) whenMissing()
  return text === undefined ? new Map() : tableOf(fromJson(text, path, KNOWN_NAMES, findings), KNOWN_NAMES, findings)
}
