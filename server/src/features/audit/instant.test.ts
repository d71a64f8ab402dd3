import assert from 'node:assert/strict'
import test from 'node:test'
import { prefersCsv } from './accept.ts'
import { readInstant } from './instant.ts'

test('a date is midnight UTC, and a timestamp is exact', () => {
  const cases = {
    '2026-11-21': '2026-11-21T00:00:00.000Z',
    '2024-02-29': '2024-02-29T00:00:00.000Z',
    '2026-11-21T09:30Z': '2026-11-21T09:30:00.000Z',
    '2026-11-21T09:30:15Z': '2026-11-21T09:30:15.000Z',
    '2026-11-21t09:30:15.1z': '2026-11-21T09:30:15.100Z',
    '2026-11-21T09:30:15.069Z': '2026-11-21T09:30:15.069Z',
    '2026-11-21T09:30:15': '2026-11-21T09:30:15.000Z',
    '2026-11-21 09:30:15': '2026-11-21T09:30:15.000Z',
    '2026-11-21T01:30:00+04:00': '2026-11-20T21:30:00.000Z',
    '2026-11-21T01:30:00 04:00': '2026-11-20T21:30:00.000Z',
    '2026-11-21T20:30:00-0430': '2026-11-22T01:00:00.000Z',
    '2026-11-21T09:30:15.123000Z': '2026-11-21T09:30:15.123Z',
    '2026-11-21T09:30:15.123001Z': '2026-11-21T09:30:15.124Z',
    '2026-12-31T23:59:59.999999999Z': '2027-01-01T00:00:00.000Z',
    '0000-01-01': '0001-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59-10:00': '9999-12-31T23:59:59.999Z',
  }
  for (const [text, instant] of Object.entries(cases)) assert.equal(readInstant('from', text), instant, text)
  assert.equal(readInstant('to', undefined), undefined)
})

test('what is no date is refused, and the parameter is named', () => {
  const cases = [
    '',
    'yesterday',
    '2026-02-30',
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-1-1',
    '20261121',
    '1763715600',
    '2026-11-21T',
    '2026-11-21T09',
    '2026-11-21T24:00:00Z',
    '2026-11-21T09:60:00Z',
    '2026-11-21T09:30:60Z',
    '2026-11-21T09:30.5Z',
    '2026-11-21T09:30:00.Z',
    '2026-11-21T09:30:00.1234567890Z',
    '2026-11-21T09:30:00+25:00',
    '2026-11-21T09:30:00 GMT',
    '2026-11-21Z',
    ' 2026-11-21',
    '2026-11-21\n',
    '-2026-11-21',
    '+012026-11-21',
  ]
  for (const text of cases) {
    assert.throws(() => readInstant('to', text), { code: 'invalid_request', message: /`to`.*must be a date/ }, text)
  }
})

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
