import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { SettingShape } from './setting.ts'
import * as shapes from './shapes.ts'

type Cases = { readonly fits: readonly (readonly [unknown, unknown])[]; readonly refused: readonly unknown[] }

const ANY_WRONG = [undefined, null, {}, [], [1], Number.NaN, Number.POSITIVE_INFINITY, Symbol('x'), () => 1]
const KEY = Buffer.from('0123456789abcdefghijklmnopqrstuv').toString('base64')

function read<Value>({ type }: SettingShape<Value>, raw: unknown) {
  const { success, data } = type.safeParse(raw)
  return success ? { value: data } : undefined
}

function check<Value>(shape: SettingShape<Value>, { fits, refused }: Cases, alsoWrong: readonly unknown[] = ANY_WRONG) {
  for (const [raw, value] of fits) assert.deepEqual(read(shape, raw), { value }, `${String(raw)} should fit`)
  for (const raw of [...refused, ...alsoWrong])
    assert.equal(read(shape, raw), undefined, `${String(raw)} should not fit`)
}

test('whole numbers', () => {
  check(shapes.wholeNumber(0, 100), {
    fits: [
      ['5', 5],
      [' 5\n', 5],
      [5, 5],
      ['0', 0],
      ['100', 100],
      ['007', 7],
    ],
    refused: ['', ' ', '101', '-1', '5.0', '5.5', 5.5, '1e1', '0x10', '٣', '5,000', '5 000', '+5', true, '5;'],
  })
})

test('numbers with a fraction', () => {
  check(shapes.decimalNumber(0.5, 90), {
    fits: [
      ['0.5', 0.5],
      ['1.25', 1.25],
      [60, 60],
      ['90', 90],
      ['90.0', 90],
    ],
    refused: ['0.49', '90.01', '1,5', '.5', '5.', '1e1', '1.2.3', false],
  })
})

test('flags', () => {
  check(shapes.trueOrFalse, {
    fits: [
      ['true', true],
      ['FALSE', false],
      [true, true],
      [false, false],
      [' True ', true],
    ],
    refused: ['1', '0', 'yes', 'on', '', 1, 0, 'truee'],
  })
})

test('words', () => {
  check(shapes.oneOf('Development', 'Production'), {
    fits: [
      ['development', 'Development'],
      [' PRODUCTION', 'Production'],
    ],
    refused: ['', 'prod', 'Development,Production', true],
  })
})

test('texts have a length', () => {
  check(shapes.text({ min: 2, max: 4 }), {
    fits: [
      ['ab', 'ab'],
      [' abcd ', 'abcd'],
    ],
    refused: ['a', 'abcde', ' a ', 12],
  })
  assert.deepEqual(read(shapes.text(), ''), { value: '' })
})

test('durations are hh:mm:ss, in milliseconds', () => {
  check(shapes.duration, {
    fits: [
      ['24:00:00', 86_400_000],
      ['01:00:00', 3_600_000],
      ['00:00:01', 1000],
      ['100:00:00', 360_000_000],
      ['0:05:00', 300_000],
    ],
    refused: ['', '1:00', '00:60:00', '00:00:60', '1.00:00:00', '-01:00:00', '00:00:00.5', 60, 'an hour'],
  })
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9999 * 3600 + 3599 }), (seconds) => {
      const shown = shapes.duration.show(seconds * 1000)
      assert.deepEqual(read(shapes.duration, shown), { value: seconds * 1000 }, shown)
    }),
  )
})

test('lists come as an array or as one text with commas, and one wrong item refuses the list', () => {
  const ports = shapes.listOf(shapes.wholeNumber(1, 9), 'digits')
  check(
    ports,
    {
      fits: [
        ['1,2', [1, 2]],
        [
          [1, '2'],
          [1, 2],
        ],
        ['', []],
        [' , ', []],
        [[], []],
      ],
      refused: ['1,x', [1, 'x'], '1;2', 3, '1,10'],
    },
    ANY_WRONG.filter((wrong) => !Array.isArray(wrong)),
  )
})

test('an encryption key is 32 bytes in exactly one spelling', () => {
  check(shapes.keyOf32Bytes, {
    fits: [
      [KEY, KEY],
      [` ${KEY}\n`, KEY],
    ],
    refused: [
      '',
      KEY.slice(0, -1),
      KEY.replace('=', ''),
      `${KEY}=`,
      `${KEY.slice(0, 20)} ${KEY.slice(20)}`,
      'A'.repeat(44),
      Buffer.alloc(31).toString('base64'),
      Buffer.alloc(33).toString('base64'),
      '0'.repeat(64),
    ],
  })
  // The last character before the padding carries four unused bits: another spelling of the same bytes.
  assert.equal(read(shapes.keyOf32Bytes, `${'A'.repeat(42)}B=`), undefined)
})

test('a public address is absolute and carries nothing but a path', () => {
  check(shapes.publicUrl, {
    fits: [
      ['https://a.example', 'https://a.example'],
      ['https://A.example:443/', 'https://a.example'],
      ['http://localhost:8787/x/', 'http://localhost:8787/x'],
    ],
    refused: [
      '',
      'a.example',
      '/x',
      'ftp://a.example',
      'https://u@a.example',
      'https://u:p@a.example',
      'https://a.example?x=1',
      'https://a.example#x',
      'https://',
      'javascript:alert(1)',
    ],
  })
})

test('a connection address is shown without its password', () => {
  const shape = shapes.connectionUrl('postgres:', 'postgresql:')
  const url = 'postgres://user:pass@host:5432/db?password=other'
  check(shape, { fits: [[url, url]], refused: ['', 'mysql://h/db', 'host=h password=p', 'postgres'] })
  assert.equal(shape.show(url), 'postgres://user:***@host:5432/db')
  assert.equal(shape.show('postgres://host/db'), 'postgres://host/db')
})

test('the address of a database names one host or several, and never shows its password', () => {
  const shape = shapes.serversUrl('postgres:', 'postgresql:')
  const url = 'postgres://user:p,a@one:5432,two,[::1]:5433/db?sslmode=verify-full'
  check(shape, { fits: [[url, url]], refused: ['', 'mysql://a,b/db', 'postgres://one,two:port/db'] })
  assert.deepEqual(shapes.serverUrls(url), [
    'postgres://user:p,a@one:5432/db?sslmode=verify-full',
    'postgres://user:p,a@two/db?sslmode=verify-full',
    'postgres://user:p,a@[::1]:5433/db?sslmode=verify-full',
  ])
  assert.equal(shape.show(url), 'postgres://user:***@one:5432,two,[::1]:5433/db')
  assert.equal(shape.show('postgres://host/db'), 'postgres://host/db')
})

test('networks are addresses or ranges', () => {
  const good = ['10.0.0.1', '10.0.0.0/8', '::1', '2001:db8::/32', '0.0.0.0/0']
  check(shapes.network, {
    fits: good.map((one) => [one, one]),
    refused: [
      '',
      '10.0.0',
      '10.0.0.0/33',
      '::/129',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      '10.0.0.0/-1',
      'proxy.example',
      'fe80::1%eth0',
      '::1]/x[',
      '010.0.0.1',
    ],
  })
})

test('private places are host names, and addresses or ranges that lie within the private networks', () => {
  const good = [
    'erp',
    'orders.corp.internal',
    'a_b.local',
    '10.0.0.1',
    '10.0.0.0/8',
    '10.20.0.0/16',
    '127.0.0.1',
    '172.16.0.0/12',
    '172.31.9.0/24',
    '100.64.0.0/10',
    '192.168.0.0/16',
    '::1',
    'fc00::/7',
    'fd12:3456::/32',
  ]
  check(shapes.privatePlace, {
    fits: [
      ...good.map((one) => [one, one] as const),
      [' ERP.Corp ', 'erp.corp'],
      ['მაღაზია.local', 'xn--lodaaxko2f.local'],
    ],
    refused: [
      '',
      '0.0.0.0/0',
      '::/0',
      '10.0.0.0/7',
      '172.16.0.0/11',
      '172.32.0.1',
      '100.64.0.0/9',
      '192.168.0.0/15',
      '192.169.0.1',
      '8.8.8.8',
      '169.254.169.254',
      '169.254.0.0/16',
      'fe80::/10',
      '2001:db8::/32',
      'fc00::/6',
      '::ffff:10.0.0.1',
      '*.corp.internal',
      '.corp',
      'corp.',
      'erp:8443',
      'https://erp',
      'erp/x',
      '10.1',
      'a.0x7f',
      '2130706433',
      'a..b',
    ],
  })
})
