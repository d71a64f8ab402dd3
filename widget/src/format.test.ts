// Node carries the locale data that Chromium lacks, so here it is the judge of what we write by hand.
import assert from 'node:assert/strict'
import test from 'node:test'
import { formatNumber, formatValue } from './format.ts'
import { readJson } from './wire.ts'

const NUMBERS = [0, 7, -7, 999, 1000, 9999, 10000, -12345, 1234567.5, 0.25, 123456789.125]

test('numbers as CLDR writes them in both languages', () => {
  for (const language of ['en', 'ka'] as const) {
    const judge = new Intl.NumberFormat(language, { maximumFractionDigits: 10 })
    for (const number of NUMBERS) {
      assert.equal(formatNumber(number, language).replace('−', '-'), judge.format(number), `${number} in ${language}`)
    }
  }
})

test('what is too large or too exact for a number is shown as it was written', () => {
  const { a, b, c, d } = readJson('{"a":9007199254740993,"b":1.50,"c":1e400,"d":2}') as Record<string, unknown>
  assert.deepEqual([a, b, c, d], ['9007199254740993', '1.50', '1e400', 2])
  assert.equal(formatValue(1e21, 'ka'), '1e+21')
})

test('days and points in time, and what only looks like one', () => {
  const months = new Intl.DateTimeFormat('ka', { month: 'long', timeZone: 'UTC' })
  for (let month = 0; month < 12; month++) {
    const day = `2026-${String(month + 1).padStart(2, '0')}-09`
    assert.equal(formatValue(day, 'ka'), `9 ${months.format(new Date(day))}, 2026`)
  }
  assert.equal(formatValue('2026-11-22', 'en'), '22 Nov 2026')
  const noon = new Date(2026, 10, 22, 7, 5)
  assert.equal(formatValue(noon.toISOString(), 'en'), '22 Nov 2026, 07:05')
  assert.equal(formatValue(noon.toISOString(), 'ka'), '22 ნოემბერი, 2026, 07:05')
  for (const text of ['2026-13-45', '2026-11-22 7:05', 'A-2026-11-22', '1234567', ''])
    assert.equal(formatValue(text, 'ka'), text)
})

test('anything else in a cell', () => {
  assert.equal(formatValue(null, 'en') + formatValue(undefined, 'en'), '')
  assert.equal(formatValue([1, { a: 2 }], 'en'), '[1,{"a":2}]')
  assert.equal(formatValue(true, 'ka'), 'true')
})
