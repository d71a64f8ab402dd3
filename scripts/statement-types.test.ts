import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { declaredTypes, typeFaults } from './statement-types.ts'

const [TEXT, INT8, BYTEA, TIMESTAMPTZ] = [25, 20, 17, 1184]
const folder = mkdtempSync(path.join(import.meta.dirname, 'statement-types-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const described = (columns: Record<string, number>, values: Record<string, number> = {}) => ({
  columns: new Map(Object.entries(columns)),
  values: new Map(Object.entries(values)),
})
const typed = (row: Record<string, string> | null, values: Record<string, string> = {}) => ({
  row: row === null ? null : new Map(Object.entries(row)),
  values: new Map(Object.entries(values)),
})

test('a column of another name or another type is a fault, and so is one that the type lacks', () => {
  const columns = described({ id: INT8, at: TIMESTAMPTZ })
  const faultsOf = (row: Record<string, string> | null) => typeFaults('shops.find', typed(row), columns)
  assert.deepEqual(faultsOf({ id: 'number', at: 'Date' }), [])
  assert.deepEqual(faultsOf(null), [], 'a statement whose row nobody reads')
  assert.match(
    faultsOf({ id: 'string', at: 'Date' })[0] ?? '',
    /"shops\.find": its column "id" is number, and its type says string/,
  )
  assert.match(faultsOf({ id: 'number' })[0] ?? '', /its type lacks the column "at"/)
  assert.match(faultsOf({ id: 'number', at: 'Date', name: 'string' })[0] ?? '', /returns no column "name"/)
})

test('a value may come in a form that the driver writes as text, and in no other', () => {
  const faultsOf = (at: string, bytes: string) =>
    typeFaults('shops.put', typed({}, { at, bytes }), described({}, { at: TIMESTAMPTZ, bytes: BYTEA }))
  assert.deepEqual(faultsOf('Date', 'Buffer'), [])
  assert.deepEqual(faultsOf('string', 'Buffer'), [])
  assert.match(faultsOf('Date', 'string')[0] ?? '', /its value "bytes" is Buffer, and its type says string/)
  assert.equal(typeFaults('shops.put', typed({}, { name: 'boolean' }), described({}, { name: TEXT })).length, 1)
})

test('the types are those that the compiler sees, through aliases, unions and null', () => {
  const file = path.join(folder, 'queries.ts')
  writeFileSync(
    file,
    `declare function statement<Row, Values = object>(name: string, text: string): void
type Of = { readonly tenantId: number }
statement<{ state: 'open' | 'closed' | null; at: Date; ids: readonly string[]; raw: unknown }, Of & { note: string | null }>('a.find', '')
statement<unknown>('a.put', '')
`,
  )
  const types = declaredTypes([file])
  assert.deepEqual(Object.fromEntries(types.get('a.find')?.row ?? []), {
    state: 'string',
    at: 'Date',
    ids: 'string[]',
    raw: 'unknown',
  })
  assert.deepEqual(Object.fromEntries(types.get('a.find')?.values ?? []), { tenantId: 'number', note: 'string' })
  assert.equal(types.get('a.put')?.row, null)
})
