import assert from 'node:assert/strict'
import test from 'node:test'
import { assertTakesLess } from '../../../testkit/processor.ts'
import { checkedEmail, checkedName } from './input.ts'

const taken = (email: string): boolean => {
  try {
    checkedEmail(email)
    return true
  } catch {
    return false
  }
}

test('ordinary addresses are taken as they are, in any language', () => {
  const addresses = [
    'ana@shop.example',
    'first.last+tag@sub.shop.example',
    "o'brien@shop.example",
    '!#$%&`*+/=?^_{|}~@shop.example',
    `${'a'.repeat(64)}@shop.example`,
    'x@1.io',
    'x@a-b.example',
    'test@123.example',
    'ანა@მაღაზია.გე',
    'müller@bücher.example',
    'x@xn--bcher-kva.example',
  ]
  for (const address of addresses) assert.equal(checkedEmail(`  ${address} `), address)
})

test('what could never be an address, or could be more than one, is refused', () => {
  const addresses = [
    '',
    '@',
    'ana',
    'ana@',
    '@shop.example',
    'ana@shop',
    'ana@@shop.example',
    'a@b@shop.example',
    '.ana@shop.example',
    'ana.@shop.example',
    'a..na@shop.example',
    'ana@.shop.example',
    'ana@shop..example',
    'ana@shop.example.',
    'ana@-shop.example',
    'ana@shop-.example',
    'ana@shop.e',
    'ana@shop.123',
    'ana@127.0.0.1',
    'ana@[127.0.0.1]',
    'ana@[IPv6:::1]',
    'ana@shop_x.example',
    'ana@sh op.example',
    'a na@shop.example',
    '"ana"@shop.example',
    'ana(comment)@shop.example',
    'ana@shop.example,bob@shop.example',
    'ana@shop.example;bob@shop.example',
    'Ana <ana@shop.example>',
    'ana@shop.example\n',
    'ana@shop.example\r\nBcc: bob@shop.example',
    'ana\u0000@shop.example',
    'ana\u2028@shop.example',
    'ana@shop.example\u202e',
    'ana\ud800@shop.example',
    `${'a'.repeat(65)}@shop.example`,
    `${'მ'.repeat(22)}@shop.example`,
    `ana@${'a'.repeat(64)}.example`,
    `ana@${'a.'.repeat(125)}example`,
    'a'.repeat(1_000_000),
    `${'a.'.repeat(500_000)}@`,
  ]
  for (const address of addresses) assert.equal(taken(address), false, JSON.stringify(address.slice(0, 60)))
})

test('a long text of dots is judged at once', () => {
  assertTakesLess(1_000, () => {
    for (let round = 0; round < 200; round++) taken(`${'a.'.repeat(490)}!`)
  })
})

test('a name is one line of 2 to 120 characters', () => {
  assert.equal(checkedName('  კუთხის მაღაზია '), 'კუთხის მაღაზია')
  assert.equal(checkedName('😀'.repeat(120)).length, 240)
  for (const name of ['', ' x ', 'x'.repeat(121), 'a\nb', 'a\u2029b', 'a\u0007b', 'ab\ud800', 'x'.repeat(1_000_000)]) {
    assert.throws(() => checkedName(name), { code: 'invalid_name' }, JSON.stringify(name.slice(0, 20)))
  }
})
