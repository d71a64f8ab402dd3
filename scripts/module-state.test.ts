import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stateFaults, undeclaredFaults } from './module-state.ts'

const FILE = 'server/src/writes/planted/planted.ts'

/** The names that are refused in a file with these lines. */
const refused = (...lines: readonly string[]): (string | undefined)[] =>
  stateFaults(new Map([[FILE, lines.join('\n')]])).map(({ name }) => name)

test('refuses a variable that can be assigned again', () => {
  assert.deepEqual(refused('let last = 0', 'export let next: number | undefined', 'var old = 1'), [
    'last',
    'next',
    'old',
  ])
})

test('refuses a collection that begins empty', () => {
  const lines = [
    'const a = new Map<string, number>()',
    'export const b = new Set()',
    'const c = new WeakMap<object, string>([])',
    'const d: string[] = []',
    'const e: Record<string, number> = {}',
    'const f = {} as Record<string, number>',
  ]
  assert.deepEqual(refused(...lines), ['a', 'b', 'c', 'd', 'e', 'f'])
})

test('refuses a value that the file changes', () => {
  const lines = [
    'const a = new Map([[1, 2]])',
    'const b = ["x"]',
    'const c = { n: 1, deep: { n: 1 } }',
    'const d = /x/g',
    'const e = { n: 1 }',
    'const f = ["x"]',
    'const g = new Set([1])',
    'const h = Array.from([1])',
    'export function change(key: number) {',
    '  a.set(key, 1)',
    '  b.push("y")',
    '  c.deep.n += 1',
    '  d.lastIndex = 0',
    '  Object.assign(e, { n: 2 })',
    '  delete f[0]',
    '  h.push(1)',
    '  if (key > 0) return () => g?.delete(key)',
    '}',
  ]
  assert.deepEqual(refused(...lines), ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
})

test('refuses what a module opens while it loads', () => {
  assert.deepEqual(refused('const kept = openPackedTexts()', 'const text = (await openIt()).text'), ['kept', 'text'])
})

test('accepts constants, state of a function, and the memos of kernel/memo', () => {
  const lines = [
    "import { memoized } from '../../kernel/memo/index.ts'",
    'const LIMIT = 3',
    'const NAMES = ["a", "b"]',
    'const TYPES = new Set(["a"])',
    'const NONE: ReadonlyMap<string, string> = new Map()',
    'const NOTHING: readonly string[] = []',
    'const EMPTY: Readonly<Record<string, string>> = {}',
    'const weightOf = memoized((tool: object) => JSON.stringify(tool).length)',
    'const jar = cookieJar("a")',
    'export const write = () => jar.set("b")',
    'declare const unset: unique symbol',
    'export function openQueue() {',
    '  let last = 0',
    '  const known = new Map<string, number>()',
    '  return (key: string) => known.set(key, ++last)',
    '}',
    'export const sorted = (NAMES: string[]) => NAMES.sort()',
    'export const first = NAMES.toSorted()',
  ]
  assert.deepEqual(refused(...lines), [])
})

test('says where the state is and where it belongs', () => {
  const [fault] = undeclaredFaults(new Map([[FILE, '\nlet last = 0']]), [])
  assert.match(
    fault ?? '',
    /^server\/src\/writes\/planted\/planted\.ts:2: `last` .*every service in this process.*open…/,
  )
})

test('accepts a declared exception, and reports one that nothing needs', () => {
  const files = new Map([[FILE, 'let last = 0']])
  const exception = { file: FILE, names: ['last'], why: 'a test' }
  assert.deepEqual(undeclaredFaults(files, [exception]), [])
  assert.deepEqual(undeclaredFaults(files, [{ ...exception, names: ['last', 'gone'] }]), [
    `scripts/module-state.ts: ${FILE} has no module state "gone". Remove the exception.`,
  ])
})
