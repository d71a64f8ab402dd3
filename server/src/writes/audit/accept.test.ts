import assert from 'node:assert/strict'
import test from 'node:test'
import { prefersCsv } from './routes.ts'

test('CSV is for those who ask for it', () => {
  const cases: [accept: string | undefined, csv: boolean][] = [
    ['text/csv', true],
    ['Text/CSV; charset=utf-8', true],
    ['text/csv, */*;q=0.1', true],
    ['application/json;q=0.5, text/csv', true],
    ['application/json, text/csv', true],
    ['application/json, text/csv;q=0.5', false],
    ['text/csv;q=0', false],
    ['text/csv;q=nonsense', false],
    ['*/*', false],
    ['text/*', false],
    ['application/json', false],
    ['', false],
    [undefined, false],
  ]
  for (const [accept, csv] of cases) assert.equal(prefersCsv(accept), csv, accept)
})
