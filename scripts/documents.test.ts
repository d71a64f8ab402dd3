import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkFaults, nameFaults, requirementFaults } from './documents.ts'

const FILES: Readonly<Record<string, string>> = {
  'docs/page.md': '',
  'docs/other.md': '# Other\n## What a confirm, a reject and `X-Key` answer\n```\n# in code\n```\n',
  docs: '',
  'server/src/main.ts': 'run()',
}
const faultsOf = (text: string, page = 'docs/page.md') => linkFaults(page, text, (file) => FILES[file])

test('a link to a missing file is refused, with its line', () => {
  for (const dead of ['gone.md', '../server/src/gone.ts', 'server/src/main.ts', '../../docs/other.md']) {
    const [fault, ...others] = faultsOf(`# Page\n\n| a | [words](${dead}) |`)
    assert.equal(
      fault,
      `docs/page.md:3: the link to "${dead}" leads nowhere. Use the path of an existing file or folder, relative to this page.`,
    )
    assert.deepEqual(others, [])
  }
  assert.equal(faultsOf('[`code`](gone.md) and [one](other.md) and ![picture](gone.png)').length, 2)
})

test('a link to a missing heading is refused', () => {
  for (const dead of ['other.md#gone', 'other.md#in-code', '#page'])
    assert.match(faultsOf(`[words](${dead})`)[0] ?? '', /names a heading that docs\/\w+\.md does not have/, dead)
})

test('links to existing files, links to other hosts, and code are accepted', () => {
  for (const fine of [
    '[a](other.md) [b](../server/src/main.ts) [c](../docs) [d](../server/src/main.ts#L3)',
    '[a](other.md#what-a-confirm-a-reject-and-x-key-answer) [b](other.md#other)',
    '[a](https://example.com/gone.md) [b](mailto:a@example.com)',
    '```\n[a](gone.md)\n```',
    'written as `[a](gone.md)`',
  ])
    assert.deepEqual(faultsOf(fine), [], fine)
  assert.deepEqual(faultsOf('[a](docs/other.md)', 'README.md'), [])
})

const table = (rows: readonly string[], open = '') =>
  requirementFaults([{ page: 'PAGE.md', text: ['## Open', open, '## V1', ...rows].join('\n') }], rows.length)
const HELD = '| V1.1.1 | 1 | one form | held | [body](../body.ts) | [test](../body.test.ts) |'

test('a requirement needs a known state, a reason, and evidence if it is held', () => {
  assert.deepEqual(
    table([
      HELD,
      HELD.replace('V1.1.1', 'V1.1.4').replace('[test](../body.test.ts)', 'reading'),
      '| V1.1.2 | 2 | two | operator | The proxy does. |  |',
      '| V1.1.3 | 2 | three | n/a | None here. |  |',
    ]),
    [],
  )
  const refused: [row: string, says: RegExp][] = [
    [
      HELD.replace('held', 'mostly'),
      /PAGE\.md:4: V1\.1\.1 has the state "mostly"\. Write one of held, operator, open, n\/a/,
    ],
    [HELD.replace('held', ''), /has the state ""/],
    [HELD.replace('[body](../body.ts)', 'the code'), /links no code/],
    [HELD.replace('[test](../body.test.ts)', ''), /links no test/],
    [HELD.replace('[test](../body.test.ts)', 'a test'), /links no test/],
    [HELD.replace('| 1 |', '| 3 |'), /has the level "3"/],
    ['| V1.1.1 | 1 | one form | n/a |  |  |', /has no reason/],
    ['| V1.1.1 | 1 | one form | n/a | None here. |', /has 5 cells/],
  ]
  for (const [row, says] of refused) assert.match(table([row]).join('\n'), says, row)
})

test('the list of open requirements matches the table', () => {
  const open = '| V1.1.1 | 1 | one form | open | Not yet. |  |'
  assert.deepEqual(table([open], '- **V1.1.1** one form'), [])
  assert.match(table([open])[0] ?? '', /V1\.1\.1 is open, but missing from the list/)
  assert.match(table([HELD], '- **V1.1.1** one form')[0] ?? '', /the list under "Open" has V1\.1\.1, which is not open/)
})

test('a lost row is noticed, even if another row is there twice', () => {
  assert.match(
    requirementFaults([{ page: 'PAGE.md', text: `## Open\n## V1\n${HELD}\n${HELD}` }], 2)[0] ?? '',
    /1 requirements, and the standard has 2/,
  )
  const next = { page: 'NEXT.md', text: `## V2\n${HELD.replace('V1.1.1', 'V2.1.1')}` }
  assert.deepEqual(requirementFaults([{ page: 'PAGE.md', text: `## Open\n## V1\n${HELD}` }, next], 2), [])
})

test('a name for the address or the key other than that of sign-up’s lines is refused', () => {
  for (const wrong of ['curl $URL/v1', 'curl ' + '$' + '{KEY}', 'process.env.SIGNING_SECRET', '"$TETHER_KEY"'])
    assert.equal(nameFaults('docs/page.md', `# Page\n${wrong}`).length, 1, wrong)
  assert.match(nameFaults('docs/page.md', '\n$BASE')[0] ?? '', /^docs\/page\.md:2: the name BASE is TETHER_BASE_URL /)
  assert.deepEqual(nameFaults('docs/page.md', '$TETHER_BASE_URL $TETHER_API_KEY $WORKSHOP $OPERATOR_KEY $KEYS'), [])
})
