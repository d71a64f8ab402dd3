// The values that a statement's type asks of its callers are the names in its text: one that is forgotten on either side is
// found here, and not when the statement first runs.
import { readFileSync } from 'node:fs'
import { loadModule, parseSync } from 'libpg-query'
import ts from 'typescript'
import { findFiles } from './files.ts'

await loadModule()

/** Their types are values that the statements of several rooms have in common. */
const SHARED = [
  'server/src/tenancy/access/asked-by.ts',
  'server/src/tenancy/jobs/found-rows.ts',
  'server/src/writes/audit/record-sql.ts',
  'server/src/writes/writes/payload.ts',
].map((path) => parsed(path))

export type Declared = { readonly name: string; readonly text: string; readonly names: readonly string[] }

export function nameFaults(declared: readonly Declared[]): string[] {
  const names = new Map(declared.map((one) => [one.name, one.names]))
  const files = findFiles('server/src/**/*.ts', { exclude: ['**/*.{test,browser}.ts', '**/fixtures/**'] })
  return [
    ...declared.filter(isMisread).map(({ name }) => `SQL "${name}": PostgreSQL reads other values in it than we do.`),
    ...files.flatMap((path) => fileFaults(path, readFileSync(path, 'utf8'), names)),
  ]
}

/** A statement is compiled without knowing SQL as PostgreSQL does: whether both find the same places is asked here. */
export function isMisread({ text, names }: Pick<Declared, 'text' | 'names'>): boolean {
  const found = JSON.stringify(parseSync(text)).matchAll(/"ParamRef":\{"number":(\d+)/g)
  const places = new Set(Array.from(found, ([, place]) => Number(place)))
  return places.size !== names.length || !names.every((_, at) => places.has(at + 1))
}

/** What is wrong in one file. A statement whose name is computed is not looked at: it says at its first run what is missing. */
export function fileFaults(path: string, text: string, declared: ReadonlyMap<string, readonly string[]>): string[] {
  if (!text.includes('statement<')) return []
  const source = parsed(path, text)
  const faults: string[] = []
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit)
    if (!ts.isCallExpression(node) || node.expression.getText() !== 'statement') return
    const [name] = node.arguments
    if (name === undefined || !ts.isStringLiteral(name)) return
    const names = declared.get(name.text)
    if (names === undefined) {
      faults.push(`${path}: SQL ${name.getText()}: no check has read it. Declare it in a file named …queries.ts.`)
      return
    }
    const members = membersOf(node.typeArguments?.[1], source)
    const wrong = members === undefined ? ['write its values where it is declared'] : difference(members, names)
    faults.push(...wrong.map((what) => `${path}: SQL ${name.getText()}: ${what}.`))
  }
  visit(source)
  return faults
}

function parsed(path: string, text = readFileSync(path, 'utf8')): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
}

const difference = (members: readonly string[], names: readonly string[]): string[] => [
  ...members.filter((one) => !names.includes(one)).map((one) => `its text has no $${one}, and its type asks for it`),
  ...names.filter((one) => !members.includes(one)).map((one) => `its type has no "${one}", and its text names it`),
]

/** The members of a type that is written out, or given a name, in the same file or in a shared one. */
function membersOf(type: ts.TypeNode | undefined, source: ts.SourceFile): string[] | undefined {
  if (type === undefined) return []
  if (ts.isTypeLiteralNode(type)) return type.members.map(({ name }) => name?.getText() ?? '')
  if (ts.isIntersectionTypeNode(type)) {
    const parts = type.types.map((one) => membersOf(one, source))
    return parts.includes(undefined) ? undefined : parts.flatMap((part) => part ?? [])
  }
  if (!ts.isTypeReferenceNode(type)) return undefined
  const alias = [source, ...SHARED]
    .flatMap(({ statements }) => [...statements])
    .filter(ts.isTypeAliasDeclaration)
    .find(({ name }) => name.text === type.typeName.getText())
  return alias === undefined ? undefined : membersOf(alias.type, alias.getSourceFile())
}
