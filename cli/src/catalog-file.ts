import { readFileSync } from 'node:fs'
import type { Schemas } from '../../sdk/src/index.ts'
import { type Given, UsageError } from './command.ts'
import { JsonFault, type Located, locate, type Place } from './places.ts'
import { oneLine, wrap } from './screen.ts'

export const CATALOG_FILE = 'tools.json'

export type CatalogFile = { readonly name: string; readonly located: Located }
/** A fault or a warning with its place in the file. */
export type Finding = Place & {
  readonly severity: 'error' | 'warning'
  readonly tool: string | null
  readonly member: string | null
  readonly message: string
}

export function catalogName({ words }: Pick<Given, 'words'>): string {
  if (words.length > 1) throw new UsageError(`Name one file; “${words[1]}” is one too many.`)
  return words[0] ?? CATALOG_FILE
}

export function readText(name: string): string {
  try {
    return readFileSync(name === '-' ? 0 : name, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'EISDIR' && code !== 'EACCES') throw error
    throw new UsageError(
      `${name} cannot be read (${code}). Name the file of the catalog; without a name it is ${CATALOG_FILE}.`,
    )
  }
}

/** The file, or the one finding that says why it is no JSON. */
export function readCatalog(name: string): CatalogFile | Finding {
  try {
    return { name, located: locate(readText(name)) }
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error
    return { ...error.place, severity: 'error', tool: null, member: null, message: error.message }
  }
}

type Fault = Schemas['CatalogError']
type Warning = Schemas['CatalogValid']['warnings'][number]

export function findingsIn(
  { located }: CatalogFile,
  faults: readonly Fault[],
  warnings: readonly Warning[],
): Finding[] {
  const places = openPlaces(located)
  const found: Finding[] = [
    ...faults.map(
      ({ tool, member, message }): Finding => ({
        ...places(tool, member, message),
        severity: 'error',
        tool,
        member,
        message,
      }),
    ),
    ...warnings.map(({ tool, parameter, code, message }): Finding => {
      const member = parameter === null ? (MEMBER_OF[code] ?? null) : `parameters.properties.${parameter}`
      return { ...places(tool, member, message), severity: 'warning', tool, member, message }
    }),
  ]
  return found.sort((one, other) => one.line - other.line || one.column - other.column)
}

const MEMBER_OF: Partial<Record<Warning['code'], string>> = {
  short_description: 'description',
  large_schema: 'parameters',
}

/** The service names a tool by its name. Where several have it, each fault is of the next one. */
function openPlaces({ value, placeOf }: Located) {
  const tools: unknown[] = Array.isArray(value) ? value : []
  const seen = new Map<string, number>()
  return (tool: string | null, member: string | null, message: string): Place => {
    const whole = placeOf('') ?? { line: 1, column: 1 }
    if (tool === null) return whole
    const same = tools.flatMap((one, at) => (namesIt(one, tool, at) ? [at] : []))
    const key = JSON.stringify([tool, member, message])
    const turn = seen.get(key) ?? 0
    seen.set(key, turn + 1)
    const at = same[Math.min(turn, same.length - 1)]
    if (at === undefined) return whole
    return deepest(placeOf, `/${at}`, innerPath(member, message)) ?? whole
  }
}

const namesIt = (one: unknown, tool: string, at: number): boolean => {
  const name = typeof one === 'object' && one !== null && 'name' in one ? one.name : undefined
  return name === tool || JSON.stringify(name) === tool || tool === `#${at + 1}` || tool === String(at)
}

/** A fault of a schema says its own path, which is more exact than the member. */
function innerPath(member: string | null, message: string): readonly string[] {
  if (member === null) return []
  const named = new RegExp(`\\b${member.replaceAll('.', '\\.')}(?:\\.[\\w$]+)+`).exec(message)?.[0]
  return (named ?? member).split('.')
}

/** The place of the last step of a path that is in the file: what is missing is said at what should hold it. */
function deepest(placeOf: Located['placeOf'], from: string, steps: readonly string[]): Place | undefined {
  for (let length = steps.length; length >= 0; length--) {
    const place = placeOf([from, ...steps.slice(0, length)].join('/'))
    if (place !== undefined) return place
  }
  return undefined
}

/** In the form that editors and pipelines know: `tools.json:12:5: error: …`. */
export function showFindings({ screen }: Pick<Given, 'screen'>, name: string, findings: readonly Finding[]): void {
  for (const { line, column, severity, tool, member, message } of findings) {
    const place = `${name}:${line}:${column}`
    const what = [tool, member].filter((part) => part !== null).join('.')
    if (!screen.isTerminal) {
      screen.data(`${place}: ${severity}: ${oneLine(what === '' ? message : `${what}: ${message}`)}`)
      continue
    }
    const { paint } = screen
    screen.data(`${paint('bold', place)} ${paint(severity === 'error' ? 'red' : 'yellow', severity)} ${oneLine(what)}`)
    screen.data(wrap(`    ${oneLine(message)}`, screen.width, 4))
  }
}
