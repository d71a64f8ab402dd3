// Habit 9 of the house, measured: how long files and functions may be, and what may not stand in them.
import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { findFiles } from './files.ts'

const FILE_LINES = 400
const FUNCTION_LINES = 70
const ROOM_LINES = 3_000
/** A module has folders of its own, each with one purpose. */
const MODULE_LINES = 6_000
const SHIPPED = [
  'action/src/**/*.ts',
  'cli/src/**/*.ts',
  'contract/src/**/*.ts',
  'server/src/**/*.ts',
  'sdk/src/**/*.ts',
  'demo/src/**/*.ts',
  'widget/src/**/*.ts',
]
const ROOM = /^server\/src\/(?!process\/)[^/]+\/[^/]+(?=\/)/
const SAYS_NOTHING = /(^|\/)(utils?|helpers?|common|misc|manager|base|service)(\.[a-z.]+|\/)/

export function sizeFaults(): string[] {
  const files = findFiles('{action,cli,contract,server,sdk,demo,widget,bench,scripts}/**/*.ts', {
    // What is made from the reference is as long as the reference.
    exclude: ['sdk/src/operations.ts', 'sdk/dist/**'],
  })
  const shipped = new Set(findFiles(SHIPPED).filter((path) => !/\.(?:test|browser)\.ts$|\/fixtures\//.test(path)))
  const ofRoom = new Map<string, number>()
  const faults = files.flatMap((path) => {
    const text = readFileSync(path, 'utf8')
    const room = shipped.has(path) ? ROOM.exec(path)?.[0] : undefined
    if (room !== undefined) ofRoom.set(room, (ofRoom.get(room) ?? 0) + linesOf(text))
    const named = SAYS_NOTHING.test(path) ? [`${path}: this name says nothing. Name it after what it exports.`] : []
    return [
      ...named,
      ...lengthFaults(path, text),
      ...(shipped.has(path) ? [...loosenessFaults(path, text), ...answerFaults(path, text)] : []),
    ]
  })
  return [...faults, ...roomFaults(ofRoom)]
}

const roomFaults = (ofRoom: ReadonlyMap<string, number>): string[] =>
  [...ofRoom].flatMap(([room, lines]) => {
    const most = room.startsWith('server/src/modules/') ? MODULE_LINES : ROOM_LINES
    return lines > most
      ? [`${room}: ${lines} lines, and ${most} is the most. Make two rooms of it, each with its door.`]
      : []
  })

const linesOf = (text: string): number => text.split('\n').length - 1

function lengthFaults(path: string, text: string): string[] {
  const lines = linesOf(text)
  const faults =
    lines > FILE_LINES ? [`${path}: ${lines} lines, and ${FILE_LINES} is the most. Give the room another file.`] : []
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const from = source.getLineAndCharacterOfPosition(node.getStart()).line
      const length = source.getLineAndCharacterOfPosition(node.getEnd()).line - from + 1
      if (length > FUNCTION_LINES)
        faults.push(`${path}:${from + 1}: a function of ${length} lines, and ${FUNCTION_LINES} is the most.`)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return faults
}

const LOOSE: readonly (readonly [RegExp, string])[] = [
  [/@ts-(ignore|nocheck|expect-error)/, 'silences the compiler'],
  [/biome-ignore/, 'silences the linter'],
  [/\bprocess\.env\b/, 'reads process.env: only server/src/kernel/settings does'],
  [/\bglobalThis\.fetch\b|\bawait fetch\(/, 'leaves the process without the guard: use kernel/egress'],
]
const MAY_READ_THE_ENVIRONMENT = /^server\/src\/kernel\/settings\//

// A verb returns a result, which pages, MCP and bulk routes read as well; what it comes to over HTTP is its routes' business.
const VERBS =
  /^server\/src\/(tenancy|tools|writes|talk|api\/embed|modules\/(?!console\/|docs\/)[^/]+)\/(?!(console|try)\/)(?!access\/route\.ts$)(?!(?:.*\/)?(?:routes|answers)\.ts$)/
const IMPORTS_ANSWER = /^import (?:type )?\{[^}]*\bAnswer\b[^}]*\} from '[./]*kernel\/http\/index\.ts'$/m

function loosenessFaults(path: string, text: string): string[] {
  return LOOSE.flatMap(([pattern, what]) => {
    if (what.startsWith('reads process.env') && MAY_READ_THE_ENVIRONMENT.test(path)) return []
    const code = text.replace(/^\s*(\/\/|\*|\/\*).*$/gm, '')
    return pattern.test(what.startsWith('silences') ? text : code) ? [`${path}: ${what}.`] : []
  })
}

export function answerFaults(path: string, text: string): string[] {
  if (!VERBS.test(path) || !IMPORTS_ANSWER.test(text)) return []
  return [
    `${path}: answers in HTTP. Return a result, and let the room's routes.ts or answers.ts say its status and body.`,
  ]
}
