// Whatever others wrote is code in a comment: read by another reader of Markdown, it is nothing else.
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { lexer, type Token, walkTokens } from 'marked'
import { code } from './markdown.ts'
import { type Report, reportText } from './report.ts'

/** The tokens without children, and those of HTML, each with its kind. */
const leaves = (tokens: readonly Token[]): Token[] =>
  tokens.flatMap((token) => {
    const inner = [...('tokens' in token ? (token.tokens ?? []) : []), ...(token.type === 'list' ? token.items : [])]
    return inner.length === 0 ? [token] : leaves(inner)
  })

const HOSTILE = [
  '@everyone',
  '`',
  '``` @nino',
  `${'`'.repeat(200)} @nino`,
  '` <img src=x onerror=alert(1)> `',
  '</details><script>',
  '<!-- ',
  '[click](https://evil.example)',
  'https://evil.example/ www.evil.example',
  '| a | b |',
  '\\| \\` \\',
  'one\n\n# Heading\n\n- list',
  'one\r\n> quote',
  '\u2028# line',
  '\u202egnihtemos',
  '&lt;b&gt; &#64;nino',
  '**bold** _it_ ~~no~~ #12 GH-12',
  '',
  ' ',
  'x'.repeat(100_000),
]

test('a hostile text is one code span of one line, with the text in it', () => {
  for (const text of HOSTILE) {
    const line = `- **New** ${code(text)} (${code(text)}), which looks like a write`
    assert.ok(!/[\n\r\u2028\u202e]/.test(line) && line.length < 1_000, JSON.stringify(text))
    const kinds = leaves(lexer(line)).map(({ type }) => type)
    assert.deepEqual(kinds, ['text', 'text', 'codespan', 'text', 'codespan', 'text'], JSON.stringify([text, line]))
  }
  assert.doesNotMatch(code('`'.repeat(200)), /`{5}/, 'GitHub’s reader takes no fence beyond eighty')
  assert.equal(code('a ` b'), '``a ` b``')
  assert.equal(code('`a`'), '`` `a` ``')
})

test('so is any text, whatever stands beside it', () => {
  const signs = fc.string({
    unit: fc.constantFrom(
      '`',
      '\\',
      '|',
      '<',
      '>',
      '@',
      '[',
      ']',
      '(',
      ')',
      '!',
      '*',
      '_',
      '\n',
      ' ',
      '&',
      '#',
      'a',
      '\u200b',
      '–',
    ),
  })
  fc.assert(
    fc.property(signs, signs, (one, other) => {
      const kinds = leaves(lexer(`- ${code(one)} and ${code(other)}: it`)).map(({ type }) => type)
      assert.deepEqual(kinds, ['codespan', 'text', 'codespan', 'text'])
    }),
    { numRuns: 500 },
  )
})

test('a whole comment has what others wrote in code alone, and fits', () => {
  for (const text of HOSTILE.filter((one) => one.trim() !== '')) {
    const said = `${text} HOSTILE`
    const place = { name: said, method: said, path: said }
    const many = <T>(one: T): T[] => Array.from({ length: 300 }, () => one)
    const report: Report = {
      api: {
        path: said,
        isFirst: true,
        operations: 3,
        added: many({ ...place, description: said, looksLikeWrite: true, isDeclared: false }),
        changed: many(place),
        removed: many(place),
        earlier: { added: 1, changed: 2, removed: 3 },
        notes: many(said),
      },
      documents: {
        added: many({ name: said, path: said }),
        replaced: [],
        same: 1,
        orphans: many({ name: said, path: said }),
        isSent: false,
      },
      vocabulary: { path: said, fresh: { [said]: many(said) }, suggestion: said, isSent: true },
      problems: many({ what: `${code(said)} was not taken.`, said, next: 'Do this.' }),
    }
    const setting = {
      serviceUrl: 'https://tether.example',
      isPull: true,
      operations: said,
      commit: said,
      runUrl: 'https://github.com/a/b',
    }
    const whole = reportText(report, setting)
    const tokens = leaves(lexer(whole))
    assert.deepEqual(
      tokens.filter(({ type, raw }) => type !== 'codespan' && raw.includes('HOSTILE')),
      [],
      JSON.stringify(text),
    )
    const links = new Set<string>()
    void walkTokens(lexer(whole), (token) => {
      if (token.type === 'link') links.add(token.href)
    })
    assert.deepEqual(
      [...links],
      ['https://tether.example/docs/import', 'https://tether.example/docs/vocabulary', 'https://github.com/a/b'],
    )
    assert.ok(whole.length < 500_000)
  }
})
