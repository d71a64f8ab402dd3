import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileSql, orderedValues } from './named-values.ts'
import { allStatements, statement, unlisted } from './statement.ts'

test('a name becomes a place, in the order in which names first appear, and the same place each time', () => {
  assert.deepEqual(compileSql('select $b::int, $a::text, $b::text[] from t where x=$a and y in ($c,$b)'), {
    text: 'select $1::int, $2::text, $1::text[] from t where x=$2 and y in ($3,$1)',
    names: ['b', 'a', 'c'],
  })
  assert.deepEqual(compileSql('select 1'), { text: 'select 1', names: [] })
  assert.deepEqual(compileSql('$tenantId::int, $tenant::int, $id2'), {
    text: '$1::int, $2::int, $3',
    names: ['tenantId', 'tenant', 'id2'],
  })
})

test('eleven names and more have places of their own', () => {
  const names = Array.from({ length: 12 }, (_, at) => `v${at + 1}`)
  const { text } = compileSql(names.map((name) => `$${name}`).join(', '))
  assert.equal(text, names.map((_, at) => `$${at + 1}`).join(', '))
})

test('a dollar that begins no value stays as it is', () => {
  for (const kept of [
    `'$name'`,
    `'it''s $name'`,
    `'^[A-Z]+$'`,
    `'a$' || 'b$'`,
    `'\\'`,
    `E'it\\'s $name'`,
    `e'\\\\'`,
    `"a $name column"`,
    `"say ""$name"""`,
    'some$column',
    'ელ$name',
    't$1',
    '-- for $name, it\'s "so',
    "/* it's\n $name */",
  ]) {
    assert.deepEqual(
      compileSql(`select ${kept}\n, $real::int`),
      { text: `select ${kept}\n, $1::int`, names: ['real'] },
      kept,
    )
  }
})

test('what is no name is refused where it is declared, and by its statement', () => {
  for (const [text, complaint] of [
    ['select $1::int', /SQL statement "x.y": "\$1" is a position, but values go by name/],
    ['select $tenantId::int, $2', /"\$2" is a position/],
    ['select $$text$$', /"\$\$" begins a dollar-quoted string/],
    ['select $tag$text$tag$', /"\$tag\$" begins a dollar-quoted string/],
    ['select $tenant_id', /"\$tenant_id" is not the name/],
    ['select $TenantId', /"\$TenantId" is not the name/],
    ['select $', /"\$" is not the name/],
    ['select $ name', /"\$" is not the name/],
    ['select $სახელი', /"\$სახელი" is not the name/],
  ] as const) {
    assert.throws(() => unlisted('x.y', text), complaint, text)
    assert.throws(() => statement('x.y', text), complaint, text)
  }
  assert.ok(!allStatements().some(({ name }) => name === 'x.y'))
})

const { name, names } = unlisted<unknown, { a: number; b: string | null }>('x.y', 'select $b, $a, $b')

test('values are laid out as the text has them, whatever order they come in', () => {
  assert.deepEqual(orderedValues({ name, names }, { a: 1, b: 'two' }), ['two', 1])
  assert.deepEqual(orderedValues({ name, names }, { b: null, a: 0 }), [null, 0])
  assert.deepEqual(orderedValues({ name, names: [] }), [])
})

test('a value that is missing, undefined or unknown is an error that says which, and never what', () => {
  for (const [values, complaint] of [
    [undefined, /"x.y" was run without \$b\. Pass a value, or null if there is none\./],
    [{}, /without \$b/],
    [{ b: 'secret' }, /without \$a/],
    [{ a: undefined, b: 'secret' }, /without \$a/],
    [{ a: 1, B: 'secret' }, /without \$b/],
    [{ a: 1, b: 'secret', c: 3 }, /"x.y" was run with c, which its text does not name.*"\$c"/],
    [{ a: 1, b: 'secret', c: undefined }, /run with c, which/],
  ] as const) {
    assert.throws(
      () => orderedValues({ name, names }, values),
      (error: Error) => complaint.test(error.message) && !error.message.includes('secret'),
      JSON.stringify(values),
    )
  }
  assert.throws(() => orderedValues({ name, names: [] }, { a: 1 }), /run with a, which/)
})
