// How an endpoint answers, and what becomes of it: each line of the table in docs/receiving-calls.md is tried, in every place.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import test, { after, before } from 'node:test'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { MODULES } from '../../modules.ts'
import { ANSWERS, outcomesOf, SETTINGS } from './fixtures/endpoint-answers.ts'

const page = readFileSync(path.join(import.meta.dirname, '../../../../docs/receiving-calls.md'), 'utf8')
const [, section = ''] = page.split('## Every answer, and what becomes of it')
const rows = section
  .split('\n## ', 1)
  .join()
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
  .slice(1)

let house: OpenHouse
before(async () => {
  house = await openHouse({ modules: MODULES, settings: SETTINGS })
})
after(() => house.close())

test('the table has a line for every answer that there is', () => {
  assert.deepEqual(rows.map(([answer]) => answer).toSorted(), Object.keys(ANSWERS).toSorted())
})

// All at once, because one of them waits for answers that never come.
test('each line of the table is so', { concurrency: true }, async (t) => {
  await Promise.all(
    rows.map(([answer = '', ...cells]) =>
      t.test(answer, async () => {
        for (const script of ANSWERS[answer] ?? []) assert.deepEqual(await outcomesOf(house, script), cells)
      }),
    ),
  )
})
