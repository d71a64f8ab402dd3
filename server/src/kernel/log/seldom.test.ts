import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLog, seldom } from './index.ts'

test('a line that comes in crowds is written at once, then once in a while with how many it stands for', () => {
  const lines: string[] = []
  const log = openLog({ level: 'info', format: 'json', now: () => 0, stream: { write: (text) => lines.push(text) } })
  let at = 0
  const say = seldom(log, 10_000, () => at)
  for (at = 0; at < 25_000; at += 1_000) say({ reason: 'away' }, 'The database does not answer.')
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)).map(({ times, reason, msg }) => [times, reason, msg]),
    [1, 10, 10].map((times) => [times, 'away', 'The database does not answer.']),
  )
})
