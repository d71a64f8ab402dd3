// Values that have broken software before. None of them holds what the judge looks for in an answer (paths, SQL errors).
import type { Random } from './random.ts'

const MEBIBYTE = 1024 * 1024

/** Not all of them are text that JSON.stringify would keep as it is: lone surrogates are. */
const STRINGS = [
  '',
  ' ',
  '\t\r\n',
  '0',
  '-1',
  'null',
  'undefined',
  'NaN',
  'true',
  '[object Object]',
  '__proto__',
  'constructor',
  'toString',
  "'; drop table x; --",
  '" or ""="',
  '$1::int',
  '%s%n%d',
  '#{7*7}',
  '../../../etc/passwd',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '\u0000',
  'a\u0000b',
  '\u0001\u001f\u007f',
  '\u0085\u2028\u2029',
  '\ufeffx',
  '\ufffe\uffff',
  '\ud800',
  'a\udc00b',
  '\udc00\ud800',
  '👩‍👩‍👧‍👦',
  'ქართული',
  'مرحبا\u202eabc',
  'Å\u0041\u030a',
  'ﬁ\u0130ı',
  '\u200b\u200d',
  'x@y.example',
  'a@b',
  '"quoted"@example.com',
  'http://127.0.0.1/',
  'javascript:alert(1)',
  '2026-02-30T25:61:61Z',
  '+275760-09-13T00:00:00.001Z',
  '00000000-0000-0000-0000-000000000000',
  'tth_',
  'tth_00000000',
  'Corner Shop',
  'secret',
] as const

/** Long in the ways that cost something: plain, combining marks out of order, wide characters, one line of many words. */
const LONG: readonly ((length: number) => string)[] = [
  (length) => 'x'.repeat(length),
  (length) => 'e\u0301\u0316'.repeat(length / 5),
  (length) => `a${'\u0301\u0316'.repeat(length / 4)}`,
  (length) => '𝒳'.repeat(length / 4),
  (length) => 'word '.repeat(length / 5),
  (length) => `${'a'.repeat(length / 2)}@${'b.'.repeat(length / 4)}`,
  (length) => '\\'.repeat(length / 2),
  (length) => '%'.repeat(length),
]

const mostInBody = MEBIBYTE - 2000

/** Mostly just around the limits that people choose, seldom longer than a body may be. */
export function longText(random: Random): string {
  const kind = random.weighted({ near: 70, large: 29, over: 1 })
  const lengths = { near: [119, 120, 121, 254, 255, 256, 1000, 4001], large: [20_000, 70_000], over: [MEBIBYTE + 1] }
  return random.pick(LONG)(random.pick(lengths[kind]))
}

/** As much as a body may hold, of the kind that takes its reader the longest. */
export const heavyText = (random: Random): string => random.pick(LONG)(mostInBody)

export const oddText = (random: Random): string => (random.chance(0.2) ? longText(random) : random.pick(STRINGS))

/** As JSON writes them, for many are no number that JavaScript keeps. */
const NUMBERS = [
  '0',
  '-0',
  '1',
  '-1',
  '0.1',
  '1e0',
  '1E+2',
  '1.5',
  '32768',
  '2147483647',
  '2147483648',
  '-2147483649',
  '4294967296',
  '99999999.9999',
  '999999999',
  '1000000000',
  '1000000001',
  '9007199254740991',
  '9007199254740993',
  '-9007199254740993',
  '9223372036854775808',
  '1e15',
  '1e21',
  '1e308',
  '1e400',
  '-1e400',
  '5e-324',
  '1e-400',
  `1${'0'.repeat(400)}`,
  `0.${'3'.repeat(400)}`,
] as const

export const oddNumber = (random: Random): string => (random.chance(0.02) ? '7'.repeat(5000) : random.pick(NUMBERS))

/** What a parser that recurses does not survive. */
export function deepJson(random: Random): string {
  const depth = random.pick([30, 129, 1000, 10_000, 100_000])
  const [open, close] = random.pick([
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"":', '}]'],
  ] as const)
  const core = random.pick(['', '1', '{}']) || (open === '[' ? '' : 'null')
  return open.repeat(depth) + core + (random.chance(0.9) ? close.repeat(depth) : '')
}
