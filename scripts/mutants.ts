// The mutants of a file: small changes of its code and of its SQL that a test should notice.
import { createHash } from 'node:crypto'
import ts from 'typescript'

export type Mutant = {
  readonly file: string
  readonly line: number
  readonly kind: string
  readonly start: number
  readonly end: number
  readonly from: string
  readonly to: string
}

type Edit = Pick<Mutant, 'kind' | 'start' | 'end' | 'to'>

/** All mutants of a file, in the order of their places. */
export function mutantsOf(file: string, text: string): Mutant[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const edits: Edit[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    edits.push(...editsOf(node, text))
    ts.forEachChild(node, visit)
  }
  visit(source)
  return edits
    .sort((one, other) => one.start - other.start || one.end - other.end || (one.to < other.to ? -1 : 1))
    .map((edit) => ({
      file,
      line: source.getLineAndCharacterOfPosition(edit.start).line + 1,
      from: text.slice(edit.start, edit.end),
      ...edit,
    }))
}

export const applyMutant = (text: string, { start, end, to }: Mutant): string =>
  text.slice(0, start) + to + text.slice(end)

/** The first mutants in an order that depends on the seed and on each mutant itself. An unrelated change moves none of them. */
export function drawMutants(mutants: readonly Mutant[], seed: string, count: number): Mutant[] {
  const rank = ({ file, kind, from, to, start }: Mutant): string =>
    createHash('sha256').update([seed, file, kind, from, to, start].join('\0')).digest('hex')
  return mutants
    .map((mutant) => ({ mutant, at: rank(mutant) }))
    .sort((one, other) => (one.at < other.at ? -1 : 1))
    .slice(0, count)
    .map(({ mutant }) => mutant)
}

const FLIPPED = new Map<ts.SyntaxKind, string>([
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
])
const LOGICAL = new Set([ts.SyntaxKind.AmpersandAmpersandToken, ts.SyntaxKind.BarBarToken])

function editsOf(node: ts.Node, text: string): Edit[] {
  const replace = (kind: string, what: ts.Node, to: string): Edit[] => [
    { kind, start: what.getStart(), end: what.getEnd(), to },
  ]
  const negate = (condition: ts.Expression): Edit[] =>
    replace('negate a condition', condition, `!(${condition.getText()})`)
  if (ts.isBinaryExpression(node)) {
    const flipped = FLIPPED.get(node.operatorToken.kind)
    if (flipped !== undefined) return replace('flip a comparison', node.operatorToken, flipped)
    return LOGICAL.has(node.operatorToken.kind)
      ? [
          ...replace('drop a clause', node, `(${node.left.getText()})`),
          ...replace('drop a clause', node, `(${node.right.getText()})`),
        ]
      : []
  }
  if (ts.isIfStatement(node)) return negate(node.expression)
  if (ts.isConditionalExpression(node)) return negate(node.condition)
  if (ts.isExpressionStatement(node)) return replace('drop a statement', node, ';')
  if (node.kind === ts.SyntaxKind.TrueKeyword) return replace('replace a constant', node, 'false')
  if (node.kind === ts.SyntaxKind.FalseKeyword) return replace('replace a constant', node, 'true')
  if (ts.isNumericLiteral(node))
    return replace('replace a constant', node, Number(node.text) === 0 ? '1' : `(2 * ${node.getText()})`)
  if (ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isStringLiteral(node))
    return sqlEdits(text.slice(node.getStart(), node.getEnd())).map((edit) => ({
      ...edit,
      start: edit.start + node.getStart(),
      end: edit.end + node.getStart(),
    }))
  return []
}

const LOOKS_LIKE_SQL = /\b(?:select|delete from|insert into|update \w+ (?:\w+ )?set)\b|\b(?:tenant_id|now\(\))/

/** `npm run check` refuses a statement that loses such a clause, so no test has to. */
const BY_TENANT = /^(?:\w+\.)?tenant_id = (?:\$tenantId(?:::int)?|\w+\.\w*tenant_id)$/

/** The mutants of a literal with SQL in it. Places count from its opening quote. */
export function sqlEdits(literal: string): Edit[] {
  if (!LOOKS_LIKE_SQL.test(literal)) return []
  return [
    ...clausesOf(literal)
      .filter(({ start, end }) => !BY_TENANT.test(literal.slice(start, end)))
      .map((place) => ({ kind: 'drop a clause of SQL', ...place, to: 'true' })),
    ...findEdits(literal, 'flip a comparison of SQL', / (<=|>=|<|>) /g, ([, sign = '']) =>
      sign.endsWith('=') ? ` ${sign[0]} ` : ` ${sign}= `,
    ),
    ...findEdits(literal, 'flip a comparison of SQL', /\bis (not )?null\b/g, ([, not]) =>
      not === undefined ? 'is not null' : 'is null',
    ),
    ...findEdits(
      literal,
      'replace a constant of SQL',
      /interval '(\d+) (\w+)'/g,
      ([, count, unit]) => `interval '${2 * Number(count)} ${unit}'`,
    ),
  ]
}

const findEdits = (text: string, kind: string, pattern: RegExp, to: (match: RegExpMatchArray) => string): Edit[] =>
  [...text.matchAll(pattern)].map((match) => ({
    kind,
    start: match.index,
    end: match.index + match[0].length,
    to: to(match),
  }))

// Whole substitutions, values, strings and comments, so that their content does not count as SQL.
const TOKEN =
  /\$\{(?:[^{}]|\{[^{}]*\})*\}|\$\w+|'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\bdistinct from\b|\b[a-z_][a-z_0-9]*(?=\()|[(),]|[a-z_][a-z_0-9]*/gi
const BEGINS = new Set(['where', 'on', 'having', 'when'])
const ENDS = new Set(
  ', as conflict order group limit returning for union join left right inner cross using from set window values then else end do offset'.split(
    ' ',
  ),
)
const QUERY = new Set(['select', 'with', 'values', 'insert', 'update', 'delete'])

type Place = { readonly start: number; readonly end: number }
/** One level of parentheses: where its clause began, if it is in one. */
type Level = { start: number; first?: string; open: boolean; isBetween: boolean }

/** The clauses of every `where`, `on`, `having` and `when`, and of conjunctions in parentheses. */
function clausesOf(literal: string): Place[] {
  const found: Place[] = []
  const newLevel = (start: number): Level => ({ start, open: false, isBetween: false })
  let level = newLevel(1)
  const outer: Level[] = []
  const close = (end: number): void => {
    const clause = literal.slice(level.start, end)
    const start = level.start + (clause.length - clause.trimStart().length)
    if (level.open && clause.trim() !== '' && clause.trim() !== 'true')
      found.push({ start, end: start + clause.trim().length })
    level.open = false
  }
  for (const { 0: token, index } of literal.matchAll(TOKEN)) {
    const word = token.toLowerCase()
    const after = index + token.length
    level.first ??= word
    if (word === '(') {
      outer.push(level)
      level = newLevel(after)
    } else if (word === ')') {
      close(index)
      level = outer.pop() ?? newLevel(after)
    } else if (word === 'between') level.isBetween = true
    else if (word === 'and' && level.isBetween) level.isBetween = false
    else if (word === 'and') {
      // A conjunction without a keyword before it: in parentheses, or in a text that other statements include.
      level.open ||= !QUERY.has(level.first)
      close(index)
      level.start = after
      level.open = true
    } else if (BEGINS.has(word) || ENDS.has(word)) {
      close(index)
      level.start = after
      level.open = BEGINS.has(word)
    }
  }
  close(literal.length - 1)
  return found
}
