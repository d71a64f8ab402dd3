import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertPreparedTakesLess, uncachedPattern } from '../../../../testkit/processor.ts'
import { BudgetSpent } from '../budget.ts'
import { checkPattern, patternMatches } from './index.ts'

const plenty = () => ({ left: 1e9 })
const matchesHere = (source: string, text: string) => patternMatches(source, text, plenty())
const matchesThere = (source: string, text: string) => new RegExp(source, 'u').test(text)

const patterns = [
  '^[a-z][a-z0-9_]{2,63}$',
  '^\\d{4}-\\d{2}-\\d{2}$',
  '^(?:[0-9]{1,3}\\.){3}[0-9]{1,3}$',
  '^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$',
  '^$',
  '',
  'b|',
  '^a|b$',
  '(a|b)*c',
  '^(?=.*[A-Z])(?=.*\\d).{8,}$',
  '^[a-zA-Z]((?!--|__)[a-zA-Z0-9-_])+$',
  '(?<=€)\\d+(?!\\d|%)',
  '(?<!x)y',
  '(?=(?!ab)a)',
  '\\bword\\b',
  '\\Bo\\B',
  '^\\p{Lu}\\p{Ll}+$',
  '^[\\p{L}\\d_-]+$',
  '^[^\\p{L}]+$',
  '^\\P{ASCII}+$',
  '^.$',
  '^[\\W]$',
  '^[^\\D]$',
  '^[\\s\\S]{3}$',
  '^\\u{1F600}|\\uD83D\\uDE00$',
  '^\\x41\\cJ\\0$',
  '[\\b]',
  '[]',
  '[^]',
  '^a{0}$',
  '^a{5,}b',
  '^a{2,7}?$',
  '^(a{5,6}b?){2}$',
  '(x{6,9}y|x)*$',
  '^(?<year>\\d{4})$',
  '^\\/v1\\/[\\w.-]+$',
  '[a-]',
  '[-a]',
  '[\\]\\\\]',
  '(^a$)|(^$)',
  'a$b|c^d',
]
const texts = [
  '',
  'a',
  'b',
  'ab',
  'abc',
  'aaaaa',
  'aaaaaaa',
  'aaaaab',
  'aaaaabaaaaaa',
  'A',
  'Passw0rdLong',
  'my_tool_1',
  '2026-08-01',
  '192.168.0.1',
  'a@b.co',
  'a--b',
  'a-b_c',
  '€42',
  '€42%',
  'xy',
  'zy',
  'a word here',
  'wood',
  'Élan',
  'été_1',
  '😀',
  '\ud83d',
  '\n',
  '\u2028',
  'A\n\0',
  '\b',
  '/v1/x.y-z',
  '-',
  ']',
  '\\',
  'xxxxxxyxxxxxxx',
  '   ',
  '123',
  '\u00a0',
]

test('agrees with the platform on patterns as people write them', () => {
  for (const pattern of patterns) {
    for (const text of texts)
      assert.equal(matchesHere(pattern, text), matchesThere(pattern, text), `${pattern} on ${JSON.stringify(text)}`)
  }
})

/** Patterns over a small alphabet, so that random texts often match. */
const { pattern: anyPattern } = fc.letrec<{ pattern: string; piece: string }>((tie) => ({
  pattern: fc.array(tie('piece'), { maxLength: 4 }).map((pieces) => pieces.join('')),
  piece: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'pattern' },
    fc
      .constantFrom('a', 'b', 'c', '.', '[ab]', '[^a]', '\\w', '^', '$', '\\b', '\\B', '[\\d-a]', '\\u{61}')
      .map((piece) => (piece === '[\\d-a]' ? '[\\da-]' : piece)),
    fc
      .tuple(
        fc.constantFrom('a', 'b', '[ab]', '.', '[^c]'),
        fc.constantFrom('{5}', '{2,6}', '{6,}', '{0,7}', '*', '+', '?', '+?', '{3}'),
      )
      .map((pair) => pair.join('')),
    fc.tuple(tie('pattern'), tie('pattern')).map(([first, second]) => `(?:${first}|${second})`),
    fc
      .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{0,2}', '{1,}', '*?'))
      .map(([body, count]) => `(${body})${count}`),
    fc.tuple(fc.constantFrom('?=', '?!', '?<=', '?<!'), tie('pattern')).map(([look, body]) => `(${look}${body})`),
  ),
}))

test('agrees with the platform on random patterns and texts', () => {
  fc.assert(
    fc.property(
      anyPattern,
      fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ', '1'), maxLength: 12 }), {
        minLength: 1,
        maxLength: 8,
      }),
      (pattern, texts) => {
        for (const text of texts)
          assert.equal(matchesHere(pattern, text), matchesThere(pattern, text), `${pattern} on ${JSON.stringify(text)}`)
      },
    ),
    { numRuns: 3000 },
  )
})

test('reads the escapes that strict Unicode mode refuses and people write', () => {
  for (const [pattern, yes, no] of [
    ['^[\\w\\-.,":;\\!?]*$', 'a-b!', 'a b'],
    ['^\\@\\#\\"$', '@#"', '@'],
    ['^[\\w-.]+$', 'a-.', 'a,'],
    ['^a{$', 'a{', 'a'],
    ['^a{,5}$', 'a{,5}', 'aaa'],
    ['^}]$', '}]', ']'],
  ] as const) {
    assert.ok(matchesHere(pattern, yes), pattern)
    assert.ok(!matchesHere(pattern, no), pattern)
  }
})

test('refuses what it cannot run or what is no pattern, and says why', () => {
  const refusals: [string, RegExp][] = [
    ['(a)\\1', /back reference/],
    ['\\k<name>', /back reference/],
    ['(?i)abc', /inline flag/],
    ['(?P<x>a)', /inline flag/],
    ['\\Aabc\\Z', /\\A/],
    ['(a', /does not close/],
    ['a)', /never opened/],
    ['[a', /ends in the middle/],
    ['a\\', /ends in the middle/],
    ['*a', /nothing before it/],
    ['a**', /nothing before it/],
    ['{2}', /nothing before it/],
    ['^*', /positions/],
    ['[z-a]', /backwards/],
    ['a{3,2}', /at least 3/],
    ['\\p{Nonsense}', /does not exist/],
    ['\\pL', /without a property/],
    ['\\u{110000}', /does not name a character/],
    ['\\x4', /too few/],
    ['(?:(?:ab){300}){300}', /too many times/],
    ['(?:ab){999999999999}', /too many times/],
    [`${'('.repeat(101)}a${')'.repeat(101)}`, /nests groups/],
    ['a'.repeat(32_769), /longer than/],
  ]
  for (const [pattern, why] of refusals) {
    const checked = checkPattern(pattern)
    assert.ok(!checked.ok, pattern)
    assert.match(checked.problem, why)
  }
})

test('checking never throws, and what it lets through runs', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'ab(){}[]|*+?^$\\.-,:=!<>dwpu19k'), maxLength: 20 }),
      (pattern) => {
        if (checkPattern(pattern).ok) assert.equal(typeof matchesHere(pattern, 'aab1-'), 'boolean')
      },
    ),
    { numRuns: 3000 },
  )
})

/** The catastrophic classics: nested quantifiers, overlapping choices, adjacent runs, and published CVEs. */
const evil: [pattern: string, text: string][] = [
  ['^(a+)+$', `${'a'.repeat(30_000)}!`],
  ['^(a*)*$', `${'a'.repeat(30_000)}!`],
  ['^(a|aa)+$', `${'a'.repeat(30_000)}!`],
  ['^(a|a?)+$', `${'a'.repeat(30_000)}!`],
  ['^([a-zA-Z]+)*$', `${'a'.repeat(30_000)}!`],
  ['(.*a){20}', 'a'.repeat(15) + 'b'.repeat(20_000)],
  ['^(.*?,){11}P', `${'1,2,3,4,5,6,7,8,9,10,11,'.repeat(1_000)}`],
  ['(x+x+)+y', 'x'.repeat(30_000)],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(30_000)],
  ['^\\s+|\\s+$', `${' '.repeat(30_000)}x ${' '.repeat(30_000)}x`],
  ['\\d*\\d*\\d*\\d*x', '1'.repeat(30_000)],
  [
    '^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$',
    'a'.repeat(30_000),
  ],
  ['^(?:(?:https?|ftp):\\/\\/)?(?:[\\w-]+\\.)+[\\w-]+(?:\\/[^\\s]*)*$', `http://${'a.'.repeat(10_000)}!`],
  ['(?=(a+)+$)', `${'a'.repeat(30_000)}!`],
  ['^(?:a?){500}a{500}$', 'a'.repeat(500)],
  ['^(?:.*=.*)*$', `${'x=x'.repeat(8_000)}\n`],
  ['((a{0,100}){0,100})$', `${'a'.repeat(3_000)}!`],
]

test('no pattern holds the process: every classic ends within 200 ms', () => {
  for (const [pattern, text] of evil) {
    assert.ok(checkPattern(pattern).ok, pattern)
    const match = (run: number) => () => {
      try {
        return patternMatches(uncachedPattern(pattern, run), text, { left: 5_000_000 })
      } catch (error) {
        return error
      }
    }
    const outcome = assertPreparedTakesLess(200, match, pattern)
    assert.ok(typeof outcome === 'boolean' || outcome instanceof BudgetSpent, String(outcome))
  }
})

test('a large text or program ends at the budget', () => {
  assert.throws(() => patternMatches('(?:a|b|ab){400}c', 'ab'.repeat(500_000), { left: 1_000_000 }), BudgetSpent)
  assert.throws(() => patternMatches('x', 'a'.repeat(1_000_000), { left: 100_000 }), BudgetSpent)
})
