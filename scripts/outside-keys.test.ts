import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import ts from 'typescript'
import { faultsIn } from './outside-keys.ts'

const PRELUDE = `
declare const outside: string
declare const TABLE: Readonly<Record<string, string>>
declare const dictionary: { [name: string]: number }
declare const anything: any
declare const list: readonly string[]
declare const at: number
declare const member: <Value>(object: Readonly<Record<string, Value>>, name: string) => Value | undefined
`

/** The faults of a program of these lines, compiled in memory. */
function planted(...lines: readonly string[]): string[] {
  const file = path.resolve('planted.ts')
  const options: ts.CompilerOptions = { strict: true, noEmit: true, target: ts.ScriptTarget.ES2024, types: [] }
  const host = ts.createCompilerHost(options)
  const load = host.getSourceFile.bind(host)
  host.getSourceFile = (name, target, ...others) =>
    path.resolve(name) === file
      ? ts.createSourceFile(file, PRELUDE + lines.join(';\n'), target, true)
      : load(name, target, ...others)
  const program = ts.createProgram([file], options, host)
  return faultsIn(program, (name) => name === 'planted.ts')
}

test('finds each way to look a text from outside up in a plain object', () => {
  const lines = [
    'TABLE[outside]',
    "TABLE[outside.trim() ?? '']",
    'TABLE[`a${outside}`]',
    'dictionary[outside] = 1',
    'dictionary[outside] ??= 1',
    '({ yes: 1, no: 2 })[outside as string]',
    'anything[outside]',
    'outside in TABLE',
    'const { [outside]: found } = TABLE',
    'const look = <Name extends string>(name: Name) => TABLE[name]',
    'const made: Record<string, number> = {}; made[outside]',
  ]
  const faults = planted(...lines)
  assert.equal(faults.length, lines.length, faults.join('\n'))
  assert.match(
    faults[0] ?? '',
    /^planted\.ts:\d+: `TABLE\[outside\]` also finds what every object inherits.*Use a Map, Object\.hasOwn, or member\(\)/,
  )
})

test('accepts a closed list of keys, a list, a Map, a guard and an object without a prototype', () => {
  const lines = [
    "declare const known: 'a' | 'b'; TABLE[known]",
    "TABLE['constant']",
    'list[at]',
    'outside[at]',
    'member(TABLE, outside)',
    'Object.hasOwn(TABLE, outside) ? TABLE[outside] : undefined',
    'const own = (name: string) => { if (!Object.hasOwn(TABLE, name)) return; return TABLE[name] }',
    'const same = (name: string) => Object.hasOwn(TABLE, name) && TABLE[name] === name',
    'const other = (name: string) => !Object.hasOwn(TABLE, name) || TABLE[name] === name',
    'for (const name in TABLE) console.log(TABLE[name])',
    'delete dictionary[outside]',
    "'known' in TABLE",
    'outside in Object.prototype',
    'const bare: Record<string, number> = Object.create(null); bare[outside] = 1',
    'new Map([["a", 1]]).get(outside)',
  ]
  assert.deepEqual(planted(...lines), [])
})

test('a guard counts for its own object and key only, and where it decides', () => {
  assert.equal(planted('[TABLE[outside], Object.hasOwn(TABLE, outside)]').length, 1)
  assert.equal(planted('Object.hasOwn(TABLE, outside) ? 0 : TABLE[outside]').length, 1)
  assert.equal(planted('Object.hasOwn(TABLE, outside) || at > 0 ? TABLE[outside] : 0').length, 1)
  assert.equal(planted('!Object.hasOwn(TABLE, outside) && at > 0 ? 0 : TABLE[outside]').length, 1)
  assert.equal(planted('Object.hasOwn(TABLE, outside) ? dictionary[outside] : 0').length, 1)
  assert.equal(planted('for (const name in dictionary) console.log(TABLE[name])').length, 1)
})
