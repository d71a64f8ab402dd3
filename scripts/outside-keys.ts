// `npm run check`: finds lookups in plain objects by a key that may come from outside. `constructor` and `__proto__` are in every
// plain object, so `TABLE[word]` returns a function for them. Shipped code uses a `Map`, or `member()` and `setMember()` of kernel/json.
import path from 'node:path'
import ts from 'typescript'

/** What runs in production. Tests, benches and scripts choose their own keys. */
const SHIPPED = /^(server\/src|contract\/src|sdk\/src|cli\/src|action\/src|demo|widget\/src)\//
const NOT_SHIPPED = /\.(test|proof|browser)\.ts$|\/testing\.ts$|\/(fixtures|testing|testkit|node_modules)\//

const CONFIGS = ['tsconfig.json', 'widget/tsconfig.json']

/** Each fault of the shipped code once, whichever configuration compiles the file. */
export const lookupFaults = (): string[] => [
  ...new Set(CONFIGS.flatMap((config) => faultsIn(shippedProgram(config), isShipped))),
]

const isShipped = (file: string): boolean => SHIPPED.test(file) && !NOT_SHIPPED.test(file)

function shippedProgram(config: string): ts.Program {
  const host = {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic({ messageText }: ts.Diagnostic) {
      throw new Error(`${config}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`)
    },
  }
  const parsed = ts.getParsedCommandLineOfConfigFile(config, { incremental: false }, host)
  if (parsed === undefined) throw new Error(`${config} cannot be read.`)
  return ts.createProgram(
    parsed.fileNames.filter((file) => isShipped(path.relative('.', file))),
    parsed.options,
  )
}

/** The faults of a program's files, by the path that `isLookedAt` accepts. */
export function faultsIn(program: ts.Program, isLookedAt: (file: string) => boolean): string[] {
  const checker = program.getTypeChecker()
  return program.getSourceFiles().flatMap((source) => {
    const file = path.relative('.', source.fileName)
    if (source.isDeclarationFile || !isLookedAt(file)) return []
    return lookupsIn(source)
      .filter((lookup) => isFault(lookup, checker))
      .map(({ node }) => {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart())
        const shown = node.getText().replace(/\s+/g, ' ').slice(0, 80)
        return `${file}:${line + 1}: \`${shown}\` also finds what every object inherits, such as "constructor". Use a Map, Object.hasOwn, or member() and setMember() of kernel/json.`
      })
  })
}

/** `object[key]`, `key in object`, or `const { [key]: value } = object`. */
type Lookup = { readonly node: ts.Node; readonly object: ts.Node; readonly key: ts.Node }

function lookupsIn(source: ts.SourceFile): Lookup[] {
  const found: Lookup[] = []
  const visit = (node: ts.Node): void => {
    const lookup = lookupAt(node)
    if (lookup !== undefined) found.push(lookup)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function lookupAt(node: ts.Node): Lookup | undefined {
  // `delete` never reaches the prototype.
  if (ts.isElementAccessExpression(node) && !ts.isDeleteExpression(node.parent))
    return { node, object: node.expression, key: node.argumentExpression }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.InKeyword)
    return { node, object: node.right, key: node.left }
  if (ts.isBindingElement(node) && node.propertyName !== undefined && ts.isComputedPropertyName(node.propertyName))
    return { node, object: node.parent, key: node.propertyName.expression }
  return undefined
}

const isFault = ({ node, object, key }: Lookup, checker: ts.TypeChecker): boolean =>
  isAnyText(checker.getTypeAtLocation(key), checker) &&
  isPlainObject(checker.getTypeAtLocation(object), node, checker) &&
  !isGuarded(node, object, key) &&
  !hasNoPrototype(object, checker)

/** A union of literals is a closed list of keys, and a number is no name. */
function isAnyText(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (type.isUnion()) return type.types.some((one) => isAnyText(one, checker))
  if ((type.flags & ts.TypeFlags.Instantiable) !== 0) {
    const bound = checker.getBaseConstraintOfType(type)
    return bound === undefined || bound === type ? true : isAnyText(bound, checker)
  }
  return (type.flags & (ts.TypeFlags.String | ts.TypeFlags.Any)) !== 0
}

const isAny = ({ flags }: ts.Type): boolean => (flags & ts.TypeFlags.Any) !== 0

/** Any object for `in`. An index by any text is possible only in `any`, a dictionary, or an object literal. */
function isPlainObject(type: ts.Type, node: ts.Node, checker: ts.TypeChecker): boolean {
  const bare = checker.getNonNullableType(type)
  const all = bare.isUnion() ? bare.types : [bare]
  if (ts.isBinaryExpression(node)) return all.some((one) => one.symbol?.name !== 'Object')
  return all.some((one) => isAny(one) || !(checker.isArrayLikeType(one) || (one.flags & ts.TypeFlags.StringLike) !== 0))
}

/** The code runs only if `Object.hasOwn(object, key)` is true, or the key comes from `for (const key in object)`. */
function isGuarded(node: ts.Node, object: ts.Node, key: ts.Node): boolean {
  const guard = `Object.hasOwn(${object.getText()}, ${key.getText()})`
  for (let inner = node; inner.parent !== undefined && !ts.isSourceFile(inner); inner = inner.parent) {
    const { parent } = inner
    if (needsTrue(parent, inner, guard) || leftBefore(parent, inner, guard)) return true
    if (
      ts.isForInStatement(parent) &&
      parent.expression.getText() === object.getText() &&
      parent.initializer.getText() === `const ${key.getText()}`
    )
      return true
  }
  return false
}

/** `inner` runs only where the condition of its parent found the guard to be true. */
function needsTrue(parent: ts.Node, inner: ts.Node, guard: string): boolean {
  if (ts.isIfStatement(parent)) return inner === parent.thenStatement && impliesWhenTrue(parent.expression, guard)
  if (ts.isConditionalExpression(parent))
    return (
      (inner === parent.whenTrue && impliesWhenTrue(parent.condition, guard)) ||
      (inner === parent.whenFalse && impliesWhenFalse(parent.condition, guard))
    )
  if (!ts.isBinaryExpression(parent) || inner !== parent.right) return false
  const operator = parent.operatorToken.kind
  return (
    (operator === AND && impliesWhenTrue(parent.left, guard)) ||
    (operator === OR && impliesWhenFalse(parent.left, guard))
  )
}

/** An earlier statement of the same block leaves it where the guard is false. */
const leftBefore = (parent: ts.Node, inner: ts.Node, guard: string): boolean =>
  ts.isBlock(parent) &&
  parent.statements.some(
    (statement) =>
      statement.end <= inner.pos &&
      ts.isIfStatement(statement) &&
      impliesWhenFalse(statement.expression, guard) &&
      /^\{?\s*(return|throw|continue)\b/.test(statement.thenStatement.getText()),
  )

const AND = ts.SyntaxKind.AmpersandAmpersandToken
const OR = ts.SyntaxKind.BarBarToken

const impliesWhenTrue = (condition: ts.Expression, guard: string): boolean =>
  partsOf(condition, AND).some((part) => part.getText() === guard)

const impliesWhenFalse = (condition: ts.Expression, guard: string): boolean =>
  partsOf(condition, OR).some((part) => part.getText() === `!${guard}`)

const partsOf = (condition: ts.Expression, operator: ts.SyntaxKind): ts.Expression[] =>
  ts.isBinaryExpression(condition) && condition.operatorToken.kind === operator
    ? [...partsOf(condition.left, operator), ...partsOf(condition.right, operator)]
    : [condition]

/** The object is made with `Object.create(null)` where it is declared. */
function hasNoPrototype(object: ts.Node, checker: ts.TypeChecker): boolean {
  const declaration = checker.getSymbolAtLocation(object)?.valueDeclaration
  if (declaration === undefined || !ts.isVariableDeclaration(declaration)) return false
  return declaration.initializer?.getText().startsWith('Object.create(null)') === true
}

if (import.meta.main) {
  const faults = lookupFaults()
  for (const fault of faults) console.log(fault)
  process.exitCode = faults.length === 0 ? 0 : 1
}
