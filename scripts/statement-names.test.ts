import assert from 'node:assert/strict'
import test from 'node:test'
import { compileSql } from '../server/src/kernel/db/named-values.ts'
import { fileFaults, isMisread } from './statement-names.ts'

const declared = new Map([['shops.find', ['tenantId', 'name']]])
const faultsOf = (text: string) => fileFaults('queries.ts', text, declared)

test('a statement whose type asks for what its text names is in order, wherever its type is written', () => {
  for (const values of [
    '{ tenantId: number; name: string }>',
    '{ name: string } & { tenantId: number }>',
    'Wanted>',
    'Where & { name: string }>',
  ]) {
    const types = 'type Where = { tenantId: number }\nexport type Wanted = Where & { name: string }\n'
    assert.deepEqual(faultsOf(`${types}statement<unknown, ${values}('shops.find', '…')`), [], values)
  }
})

test('what is only in the type, and what is only in the text, is told', () => {
  assert.deepEqual(
    faultsOf(`export const find = statement<Row, { tenantId: number; id: string }>('shops.find', '…')`),
    [
      `queries.ts: SQL 'shops.find': its text has no $id, and its type asks for it.`,
      `queries.ts: SQL 'shops.find': its type has no "name", and its text names it.`,
    ],
  )
  assert.equal(faultsOf(`statement<Row>('shops.find', '…')`).length, 2)
})

test('a type of another file is not believed, and a name that is computed is left to its first run', () => {
  const imported = `import type { Wanted } from '@tether/contract'\n`
  assert.deepEqual(faultsOf(`${imported}statement<Row, Wanted>('shops.find', '…')`), [
    `queries.ts: SQL 'shops.find': write its values where it is declared.`,
  ])
  assert.deepEqual(faultsOf('statement<Row, Wanted>(nameOf(table), text)'), [])
})

test('a statement in a file that no check loads is reported', () => {
  assert.deepEqual(faultsOf(`statement<Row>('shops.close', '…')`), [
    `queries.ts: SQL 'shops.close': no check has read it. Declare it in a file named …queries.ts.`,
  ])
})

test('PostgreSQL must find the values where they were compiled', () => {
  assert.equal(isMisread(compileSql(`select $a::int, E'\\'$b', $b::text where $a::int > 1 -- $c`)), false)
  assert.equal(isMisread(compileSql('select /* /* */ $a */ 1')), true, 'comments in comments are beyond us')
  assert.equal(isMisread({ text: `select '$1'`, names: ['a'] }), true)
  assert.equal(isMisread({ text: 'select $1::int', names: [] }), true)
})
