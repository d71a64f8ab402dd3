import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowFaults } from './repeated-rows.ts'

const page = (...lines: string[]) => rowFaults('PAGE.md', lines.join('\n'))
const HEAD = ['| noun | meaning |', '|---|---|']

test('a thing that a table names twice is found, with both of its lines', () => {
  for (const again of ['| held | Waits. |', '|  held  | Waits, in other words. |']) {
    const [fault, ...others] = page(...HEAD, '| held | Waits. |', '| hold | Money. |', again)
    assert.match(fault ?? '', /^PAGE\.md:5: "held" has a row already, in line 3\. Make one row of the two/)
    assert.deepEqual(others, [])
  }
})

test('the same words in another table, in another case, in code or before an escaped bar are no repetition', () => {
  assert.deepEqual(page(...HEAD, '| a | 1 |', '', ...HEAD, '| a | 2 |'), [])
  assert.deepEqual(page(...HEAD, '| operator | 1 |', '| `Operator` | 2 |'), [])
  assert.deepEqual(page('```', '| a |', '| a |', '```', ...HEAD, '| a | 1 |'), [])
  assert.deepEqual(page(...HEAD, '| a \\| b | 1 |', '| a \\| c | 2 |'), [])
})

test('a row without a first cell goes on with the one above', () => {
  assert.deepEqual(page(...HEAD, '| a | 1 |', '| | 2 |', '| | 3 |'), [])
})
