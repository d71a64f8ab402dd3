// Compares the types of every SQL statement with what PostgreSQL says of its text: the names and types of its columns and of its values.
// Part of `npm run check`. Whether a column can be null, PostgreSQL does not say.

import { readFileSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import ts from 'typescript'
import { findFiles } from './files.ts'
import { declaredByRoom } from './walls.ts'

/** What the driver makes of a type of PostgreSQL, by its oid. The types of `wire-types.ts` included. */
const KINDS: Readonly<Record<number, Kind>> = {
  16: 'boolean',
  17: 'Buffer',
  18: 'string',
  19: 'string',
  20: 'number',
  21: 'number',
  23: 'number',
  25: 'string',
  26: 'number',
  114: 'json',
  700: 'number',
  701: 'number',
  1000: 'boolean[]',
  1001: 'Buffer[]',
  1005: 'number[]',
  1007: 'number[]',
  1009: 'string[]',
  1016: 'number[]',
  1022: 'number[]',
  1042: 'string',
  1043: 'string',
  1082: 'string',
  1114: 'string',
  1184: 'Date',
  1185: 'Date[]',
  1231: 'string[]',
  1700: 'string',
  2950: 'string',
  2951: 'string[]',
  3802: 'json',
}
type Kind = Base | `${Base}[]`
type Base = 'boolean' | 'Buffer' | 'string' | 'number' | 'Date' | 'json'

/** A value may be handed over in another form than a column comes in: the driver writes it as text. */
const ALSO_TAKES: Partial<Record<Kind, readonly string[]>> = {
  Date: ['string'],
  string: ['number', 'Date'],
  'number[]': ['string[]'],
}

export type Typed = {
  readonly row: ReadonlyMap<string, string> | null
  readonly values: ReadonlyMap<string, string> | null
}
export type Described = { readonly columns: ReadonlyMap<string, number>; readonly values: ReadonlyMap<string, number> }

/** Where the declared types of a statement differ from what PostgreSQL says. */
export function typeFaults(name: string, typed: Typed, { columns, values }: Described): string[] {
  const faults: string[] = []
  for (const [column, type] of typed.row ?? []) {
    const oid = columns.get(column)
    if (oid === undefined) faults.push(`it returns no column "${column}"`)
    else if (!fits(type, oid))
      faults.push(`its column "${column}" is ${KINDS[oid] ?? `of oid ${oid}`}, and its type says ${type}`)
  }
  for (const column of typed.row === null ? [] : columns.keys())
    if (!typed.row?.has(column)) faults.push(`its type lacks the column "${column}"`)
  for (const [value, type] of typed.values ?? []) {
    const oid = values.get(value)
    if (oid !== undefined && !fits(type, oid, true))
      faults.push(`its value "${value}" is ${KINDS[oid] ?? `of oid ${oid}`}, and its type says ${type}`)
  }
  return faults.map((fault) => `SQL "${name}": ${fault}.`)
}

function fits(type: string, oid: number, isValue = false): boolean {
  const kind = KINDS[oid]
  // A null that was not cast, and a function that returns nothing.
  if (kind === undefined) return oid === 705 || oid === 2278
  if (kind === 'json') return !isValue || type === 'string' || type === 'json'
  return type === kind || type === 'unknown' || (isValue && ALSO_TAKES[kind]?.includes(type) === true)
}

/** The declared types of the statements whose name is written out, by name. */
export function declaredTypes(files: readonly string[]): Map<string, Typed> {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile('tsconfig.json', ts.sys.readFile).config,
    ts.sys,
    '.',
  )
  const program = ts.createProgram([...files], { ...options, incremental: false, noEmit: true })
  const checker = program.getTypeChecker()
  const found = new Map<string, Typed>()
  const membersOf = (node: ts.TypeNode | undefined): ReadonlyMap<string, string> | null => {
    if (node === undefined) return new Map()
    const type = checker.getTypeFromTypeNode(node)
    if (type.flags & ts.TypeFlags.Unknown) return null
    return new Map(
      checker
        .getPropertiesOfType(type)
        .map((member) => [member.name, kindOf(checker, checker.getTypeOfSymbolAtLocation(member, node))] as const),
    )
  }
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit)
    if (!ts.isCallExpression(node) || node.expression.getText() !== 'statement') return
    const [name] = node.arguments
    const [row, values] = node.typeArguments ?? []
    if (name !== undefined && ts.isStringLiteral(name))
      found.set(name.text, { row: row === undefined ? null : membersOf(row), values: membersOf(values) })
  }
  for (const file of files) {
    const source = program.getSourceFile(file)
    if (source !== undefined) visit(source)
  }
  return found
}

/** The kind of a TypeScript type without null: a `Kind`, `unknown`, or what the compiler calls it. */
function kindOf(checker: ts.TypeChecker, type: ts.Type): string {
  if (type.flags & ts.TypeFlags.Unknown) return 'unknown'
  const present = checker.getNonNullableType(type)
  const parts = present.isUnion() ? present.types : [present]
  const kinds = new Set(parts.map((part) => kindOfPart(checker, part)))
  const [only] = kinds
  return kinds.size === 1 && only !== undefined ? only : [...kinds].join(' | ')
}

function kindOfPart(checker: ts.TypeChecker, type: ts.Type): string {
  if (type.flags & ts.TypeFlags.StringLike) return 'string'
  if (type.flags & ts.TypeFlags.NumberLike) return 'number'
  if (type.flags & ts.TypeFlags.BooleanLike) return 'boolean'
  if (type.flags & ts.TypeFlags.Never) return 'unknown'
  const name = type.getSymbol()?.getName()
  if (name === 'Date' || name === 'Buffer') return name
  if (name === 'Uint8Array') return 'Buffer'
  if (checker.isArrayType(type)) {
    const [element] = checker.getTypeArguments(type as ts.TypeReference)
    return element === undefined ? 'json' : `${kindOf(checker, element)}[]`
  }
  return 'json'
}

/** Every statement whose name is written out, described by an embedded database. */
export async function statementTypeFaults(): Promise<string[]> {
  const database = await PGlite.create()
  for (const path of findFiles('server/migrations/*.sql')) await database.exec(readFileSync(path, 'utf8'))
  const types = declaredTypes(findFiles('server/src/**/*queries*.ts', { exclude: ['**/*.test.ts'] }))
  const faults: string[] = []
  for (const { name, text, names } of await declaredByRoom()) {
    const typed = types.get(name)
    if (typed === undefined) continue
    const { queryParams, resultFields } = await database.describeQuery(text)
    const columns = new Map(resultFields.map((field) => [field.name, field.dataTypeID]))
    const values = new Map(names.map((one, at) => [one, queryParams[at]?.dataTypeID ?? 0]))
    faults.push(...typeFaults(name, typed, { columns, values }))
  }
  await database.close()
  return faults
}

if (import.meta.main) {
  const faults = await statementTypeFaults()
  for (const fault of faults) console.error(fault)
  process.exitCode = faults.length === 0 ? 0 : 1
}
