// Reads every source and orders them. What must be known first: CONFIG_FILE and the variables say which environment this
// is, and the environment says which profile is read.
import { KNOWN } from './names.ts'
import { type Declared, everySetting } from './schema.ts'
import type { EnvironmentName } from './setting.ts'
import {
  type Entry,
  type Environment,
  type Findings,
  fold,
  fromAliases,
  fromJson,
  fromVariables,
  type Source,
  tableOf,
} from './sources.ts'

export type SettingsInput = {
  readonly env: Environment
  /** The text of a file, or undefined when there is no such file. */
  readFile(path: string): string | undefined
  /** The folder of `development.json` and `production.json`. */
  readonly profiles?: string
  /** What Development made for itself: above the defaults, below everything that a person wrote. */
  readonly generated?: readonly Entry[]
}

export type Gathered = {
  /** The strongest first. */
  readonly sources: readonly Source[]
  readonly environment: EnvironmentName
  readonly findings: Findings
}

const ENVIRONMENT = 'environment'

export function gather(input: SettingsInput): Gathered {
  const { env, profiles = 'config', generated = [] } = input
  const findings: Findings = { faults: [], warnings: [] }
  const written = [
    tableOf(fromVariables(env), KNOWN, findings),
    tableOf(fromAliases(env, everySetting), KNOWN, findings),
    readNamedFile(input, findings),
  ]
  const environment = environmentOf(written)
  const profile = readProfile(`${profiles}/${fold(environment)}.json`, input, findings)
  return { sources: [...written, profile, tableOf(generated, KNOWN, findings)], environment, findings }
}

export function find(sources: readonly Source[], { name }: Pick<Declared, 'name'>): Entry | undefined {
  for (const source of sources) {
    const entry = source.get(fold(name))
    if (entry) return entry
  }
  return undefined
}

/** A word that is neither becomes a fault when the setting itself is read; until then the stricter checks stay off. */
function environmentOf(sources: readonly Source[]): EnvironmentName {
  const declared = everySetting.find(({ name }) => fold(name) === ENVIRONMENT)
  const raw = find(sources, { name: ENVIRONMENT })?.raw
  return declared?.setting.shape.type.safeParse(raw).data === 'Production' ? 'Production' : 'Development'
}

function readNamedFile(input: SettingsInput, findings: Findings): Source {
  const path = input.env.CONFIG_FILE
  if (path === undefined || path.trim() === '') return new Map()
  return readJsonFile(path, input, findings, () =>
    findings.faults.push({
      setting: 'CONFIG_FILE',
      message: `CONFIG_FILE names ${path}, and there is no such file. Correct the path or unset it.`,
    }),
  )
}

function readProfile(path: string, input: SettingsInput, findings: Findings): Source {
  const source = readJsonFile(path, input, findings, () =>
    findings.warnings.push({
      setting: path,
      message: `${path} is missing, so the defaults stand in its place. It is part of the service: put it back.`,
    }),
  )
  if (source.has(ENVIRONMENT)) {
    findings.faults.push({
      setting: 'Environment',
      message: `Environment cannot be set in ${path}, because it is what chooses that file. Set the environment variable Environment.`,
    })
  }
  return source
}

function readJsonFile(path: string, input: SettingsInput, findings: Findings, whenMissing: () => void): Source {
  let text: string | undefined
  try {
    text = input.readFile(path)
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown error'
    findings.faults.push({ setting: path, message: `${path} could not be read: ${reason}.` })
    return new Map()
  }
  if (text === undefined) whenMissing()
  return text === undefined ? new Map() : tableOf(fromJson(text, path, KNOWN, findings), KNOWN, findings)
}
