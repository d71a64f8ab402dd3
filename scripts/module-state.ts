// `npm run check`: finds state that a module of the server holds. Two services in one process would share it, no test could reset it,
// and nothing closes it. It belongs in an `open…` function; the result of a pure function can be remembered with kernel/memo.
import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { findFiles } from './files.ts'

type Exception = { readonly file: string; readonly names: readonly string[]; readonly why: string }

const EXCEPTIONS: readonly Exception[] = [
  {
    file: 'server/src/kernel/db/statement.ts',
    names: ['declared'],
    why: 'Statements are declared while files load, and the checks of npm run check read all of them. A service only reads it.',
  },
  {
    file: 'server/src/kernel/db/embedded/worker.ts',
    names: ['lastWords', 'engine', 'sessions'],
    why: 'The module is the program of one thread, and that thread serves one database.',
  },
  {
    file: 'server/src/kernel/json/write.ts',
    names: ['left'],
    why: 'It is empty again when the one call of JSON.stringify ends. Handing it over by a replacer takes twice as long.',
  },
]

export function moduleStateFaults(): string[] {
  const files = findFiles('server/src/**/*.ts', {
    exclude: ['**/*.{test,browser}.ts', '**/testing.ts', '**/fixtures/**'],
  })
  return undeclaredFaults(new Map(files.map((file) => [file, readFileSync(file, 'utf8')])), EXCEPTIONS)
}

export function undeclaredFaults(files: ReadonlyMap<string, string>, exceptions: readonly Exception[]): string[] {
  const found = stateFaults(files)
  const isIn = ({ file, names }: Exception, fault: StateFault) => file === fault.file && names.includes(fault.name)
  return [
    ...found
      .filter((fault) => !exceptions.some((one) => isIn(one, fault)))
      .map(
        ({ file, line, name, why }) =>
          `${file}:${line}: \`${name}\` ${why}, and every service in this process shares it. Keep it in an open… function or in the closure that uses it; kernel/memo remembers results of pure functions.`,
      ),
    ...exceptions.flatMap(({ file, names }) =>
      names
        .filter((name) => !found.some((fault) => fault.file === file && fault.name === name))
        .map((name) => `scripts/module-state.ts: ${file} has no module state "${name}". Remove the exception.`),
    ),
  ]
}

type StateFault = { readonly file: string; readonly line: number; readonly name: string; readonly why: string }

export const stateFaults = (files: ReadonlyMap<string, string>): StateFault[] => {
  const sources = new Map(
    [...files].map(([file, text]) => [file, ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)]),
  )
  const checker = checkerOf(sources)
  return [...sources].flatMap(([file, source]) => {
    const changed = changedIn(source, checker)
    return moduleVariables(source).flatMap((variable) => {
      const symbol = checker.getSymbolAtLocation(variable.name)
      const why = stateIn(variable, symbol !== undefined && changed.has(symbol))
      if (why === undefined) return []
      const { line } = source.getLineAndCharacterOfPosition(variable.getStart())
      return [{ file, line: line + 1, name: variable.name.getText(), why }]
    })
  })
}

/** Resolves names within each file. It follows no import, so types are not known. */
function checkerOf(sources: ReadonlyMap<string, ts.SourceFile>): ts.TypeChecker {
  const options: ts.CompilerOptions = { noLib: true, noResolve: true, types: [], target: ts.ScriptTarget.Latest }
  const host: ts.CompilerHost = {
    ...ts.createCompilerHost(options),
    getCurrentDirectory: () => '',
    getSourceFile: (name) => sources.get(name),
  }
  return ts.createProgram([...sources.keys()], options, host).getTypeChecker()
}

const moduleVariables = (source: ts.SourceFile): ts.VariableDeclaration[] =>
  source.statements
    .filter(ts.isVariableStatement)
    .filter(({ modifiers }) => modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword) !== true)
    .flatMap(({ declarationList }) => declarationList.declarations)

/** Why a variable is state, or undefined if it is not. */
function stateIn(variable: ts.VariableDeclaration, isChanged: boolean): string | undefined {
  const { initializer, type, parent } = variable
  if ((parent.flags & ts.NodeFlags.Const) === 0) return 'can be assigned again'
  if (isChanged) return 'is changed after it is made'
  if (initializer === undefined) return undefined
  if (opensSomething(initializer)) return 'is opened while the module loads'
  const isReadonly = type !== undefined && /^(readonly\b|Readonly)/.test(type.getText())
  return isEmpty(bare(initializer)) && !isReadonly ? 'begins empty, so something fills it later' : undefined
}

const bare = (value: ts.Expression): ts.Expression =>
  ts.isAsExpression(value) || ts.isSatisfiesExpression(value) || ts.isParenthesizedExpression(value)
    ? bare(value.expression)
    : value

const COLLECTION = /^(Weak)?(Map|Set)$/

function isEmpty(value: ts.Expression): boolean {
  if (ts.isArrayLiteralExpression(value)) return value.elements.length === 0
  if (ts.isObjectLiteralExpression(value)) return value.properties.length === 0
  if (!ts.isNewExpression(value) || !COLLECTION.test(value.expression.getText())) return false
  const [first] = value.arguments ?? []
  return first === undefined || isEmpty(first)
}

/** Calls `open…()`, outside of functions. */
function opensSomething(node: ts.Node): boolean {
  if (ts.isFunctionLike(node)) return false
  if (ts.isCallExpression(node) && /^open[A-Z]/.test(node.expression.getText())) return true
  return ts.forEachChild(node, (child) => opensSomething(child) || undefined) ?? false
}

const ARRAY_CHANGES = new Set('push pop shift unshift splice sort reverse fill copyWithin'.split(' '))
/** A function may also return an object with a method of such a name, so they say nothing about what a call returned. */
const COLLECTION_CHANGES = new Set('set add delete clear'.split(' '))
/** They write to their first argument. */
const WRITERS = new Set(['Object.assign', 'Object.defineProperty', 'setMember'])

/** Each variable of whose value a part is assigned, deleted or filled somewhere in the file. */
function changedIn(source: ts.SourceFile, checker: ts.TypeChecker): ReadonlySet<ts.Symbol> {
  const changed = new Set<ts.Symbol>()
  const visit = (node: ts.Node): void => {
    const target = targetOf(node)
    const symbol = target && checker.getSymbolAtLocation(rootOf(target))
    if (symbol !== undefined && !(callsCollection(node) && isOfCall(symbol))) changed.add(symbol)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return changed
}

function targetOf(node: ts.Node): ts.Node | undefined {
  if (ts.isCallExpression(node)) return targetOfCall(node)
  if (ts.isDeleteExpression(node)) return node.expression
  if (ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind)) return partOf(node.left)
  if (ts.isPostfixUnaryExpression(node)) return partOf(node.operand)
  if (ts.isPrefixUnaryExpression(node) && INCREMENTS.has(node.operator)) return partOf(node.operand)
  return undefined
}

const isAssignment = (kind: ts.SyntaxKind): boolean =>
  kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment

const INCREMENTS = new Set<ts.SyntaxKind>([ts.SyntaxKind.PlusPlusToken, ts.SyntaxKind.MinusMinusToken])

function targetOfCall({ expression, arguments: [first] }: ts.CallExpression): ts.Node | undefined {
  if (WRITERS.has(expression.getText())) return first
  if (!ts.isPropertyAccessExpression(expression)) return undefined
  const { text } = expression.name
  return ARRAY_CHANGES.has(text) || COLLECTION_CHANGES.has(text) ? expression.expression : undefined
}

const callsCollection = (node: ts.Node): boolean =>
  ts.isCallExpression(node) &&
  ts.isPropertyAccessExpression(node.expression) &&
  COLLECTION_CHANGES.has(node.expression.name.text)

function isOfCall({ valueDeclaration }: ts.Symbol): boolean {
  if (valueDeclaration === undefined || !ts.isVariableDeclaration(valueDeclaration)) return false
  const { initializer } = valueDeclaration
  return initializer !== undefined && ts.isCallExpression(bare(initializer))
}

/** Only a `let` can be assigned by its name alone, and the rule refuses every `let`. */
const partOf = (node: ts.Node): ts.Node | undefined => (ts.isIdentifier(node) ? undefined : node)

/** `a` of `a.b[c]`. */
const rootOf = (node: ts.Node): ts.Node =>
  ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node) || ts.isNonNullExpression(node)
    ? rootOf(node.expression)
    : node
