import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkFaults, requirementFaults } from './documents.ts'

const FILES: Readonly<Record<string, string>> = {
  'docs/page.md': '',
  'docs/other.md': '# Other\n## What a confirm, a reject and `X-Key` answer\n```\n# in code\n```\n',
  docs: '',
  'server/src/main.ts': 'run()',
}
const faultsOf = (text: string, page = 'docs/page.md') => linkFaults(page, text, (file) => FILES[file])

test('a link to a file that is not there is refused, with its line', () => {
  for (const dead of ['gone.md', '../server/src/gone.ts', 'server/src/main.ts', '../../docs/other.md']) {
    const [fault, ...others] = faultsOf(`# Page\n\n| a | [words](${dead}) |`)
    assert.equal(
      fault,
      `docs/page.md:3: the link to "${dead}" leads nowhere. Name a file or a folder that exists, relative to this page.`,
    )
    assert.deepEqual(others, [])
  }
  assert.equal(faultsOf('[`code`](gone.md) and [one](other.md) and ![picture](gone.png)').length, 2)
})

test('a link to a heading that is not there is refused', () => {
  for (const dead of ['other.md#gone', 'other.md#in-code', '#page'])
    assert.match(faultsOf(`[words](${dead})`)[0] ?? '', /names a heading that docs\/\w+\.md does not have/, dead)
})

test('what exists, what lies elsewhere and what stands in code is no fault', () => {
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
  requirementFaults('PAGE.md', ['## Open', open, '## V1', ...rows].join('\n'), rows.length)
const HELD = '| V1.1.1 | 1 | one form | held | [body](../body.ts) | [test](../body.test.ts) |'

test('each requirement is held, the operator’s, open or does not apply, and says why', () => {
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
      /PAGE\.md:4: V1\.1\.1 stands as "mostly": write one of held, operator, open, n\/a/,
    ],
    [HELD.replace('held', ''), /stands as ""/],
    [HELD.replace('[body](../body.ts)', 'the code'), /held by nothing/],
    [HELD.replace('[test](../body.test.ts)', ''), /shown by nothing/],
    [HELD.replace('[test](../body.test.ts)', 'a test'), /shown by nothing/],
    [HELD.replace('| 1 |', '| 3 |'), /of level "3"/],
    ['| V1.1.1 | 1 | one form | n/a |  |  |', /does not say what holds it, or why not/],
    ['| V1.1.1 | 1 | one form | n/a | None here. |', /has 5 cells/],
  ]
  for (const [row, says] of refused) assert.match(table([row]).join('\n'), says, row)
})

test('what is open stands in the list at the top, and nothing else does', () => {
  const open = '| V1.1.1 | 1 | one form | open | Not yet. |  |'
  assert.deepEqual(table([open], '- **V1.1.1** one form'), [])
  assert.match(table([open])[0] ?? '', /V1\.1\.1 is open, and the list at the top lacks it/)
  assert.match(table([HELD], '- **V1.1.1** one form')[0] ?? '', /the list at the top has V1\.1\.1, which is not open/)
})

test('a row that was lost is missed, also where another stands twice', () => {
  assert.match(
    requirementFaults('PAGE.md', `## Open\n## V1\n${HELD}\n${HELD}`, 2)[0] ?? '',
    /1 requirements, and the standard has 2/,
  )
})
