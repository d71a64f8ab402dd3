import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { foldAddress, foldForCounting } from './fold-address.ts'

const folds = (address: string, form: string): void => assert.equal(foldAddress(address), form, address)

test('case, surrounding blanks and tags are folded for every host', () => {
  folds(' Ana.Berg+shop@Example.COM ', 'ana.berg@example.com')
  folds('ana+a+b@example.com', 'ana@example.com')
  folds('ana@example.com.', 'ana@example.com')
})

test('dots are folded for Google alone', () => {
  for (const address of ['a.n.a@gmail.com', 'ana@googlemail.com', 'A.Na+x.y@GoogleMail.com', 'ana.@gmail.com.']) {
    folds(address, 'ana@gmail.com')
  }
  folds('a.na@example.com', 'a.na@example.com')
  folds('a.na@notgmail.com', 'a.na@notgmail.com')
  folds('a.na@gmail.com.example.com', 'a.na@gmail.com.example.com')
})

test('a domain is compared as the DNS knows it', () => {
  folds('ana@MÜNCHEN.example', 'ana@xn--mnchen-3ya.example')
  folds('ana@xn--mnchen-3ya.example', 'ana@xn--mnchen-3ya.example')
  folds('ana@ｇｍａｉｌ.com', 'ana@gmail.com')
})

test('composed and decomposed letters are one name', () => {
  assert.equal(foldAddress('jose\u0301@example.com'), foldAddress('jos\u00e9@example.com'))
})

test('two people never become one: names that are all tag, all dots or quoted stay', () => {
  folds('+a@example.com', '+a@example.com')
  assert.notEqual(foldAddress('+a@example.com'), foldAddress('+b@example.com'))
  folds('..@gmail.com', '..@gmail.com')
  folds('"a+b.c"@gmail.com', '"a+b.c"@gmail.com')
  folds('a@b+c@example.com', 'a@b@example.com')
})

test('what is no address comes back folded in case only', () => {
  for (const [text, form] of [
    ['', ''],
    ['ANA', 'ana'],
    ['@x.com', '@x.com'],
    ['Ana@', 'ana@'],
  ] as const)
    folds(text, form)
})

test('for counting, dots are folded at every host, and nothing that foldAddress joins comes apart', () => {
  const counts = (address: string, form: string): void => assert.equal(foldForCounting(address), form, address)
  counts(' A.N.A+shop@Example.COM ', 'ana@example.com')
  counts('a.n.a@googlemail.com', 'ana@gmail.com')
  counts('ana@a.b.example.com', 'ana@a.b.example.com')
  counts('..@example.com', '..@example.com')
  counts('"a.b"@example.com', '"a.b"@example.com')
  counts('nobody', 'nobody')
})

test('a folded address folds to itself', () => {
  const local = fc.string({
    unit: fc.constantFrom('a', 'B', '.', '+', '"', 'é', 'İ', 'ß', '\u0301', '@'),
    maxLength: 8,
  })
  const domain = fc.constantFrom('gmail.com', 'GoogleMail.com.', 'bücher.example', 'x.example', '[::1]', 'a b')
  fc.assert(
    fc.property(local, domain, (name, host) => {
      const once = foldAddress(`${name}@${host}`)
      assert.equal(foldAddress(once), once)
      const counted = foldForCounting(`${name}@${host}`)
      assert.equal(foldForCounting(counted), counted)
      assert.equal(foldForCounting(once), counted)
    }),
    { numRuns: 1000 },
  )
})
