import assert from 'node:assert/strict'
import test from 'node:test'
import { namedInMail } from './index.ts'

test('a stranger’s name is said in a mail only when it reads like a name', () => {
  for (const name of ['Corner Shop', 'კუთხის მაღაზია', 'Ana & Sons, Ltd.', "O'Brien #2", 'A. B.', 'No. 5', 'v2.0'])
    assert.equal(namedInMail(name), name)
  for (const name of ['evil.example', 'a/b', 'mail me@x', 'https:', 'WWW now', 'x'.repeat(61), 'a\u202eb', 'a\nb']) {
    assert.equal(namedInMail(name), null, name)
  }
  // A domain may end in a digit or a mark before its last dot, and some programs take another language's dot for one.
  for (const name of [
    'Win at bet365.com',
    '163.com',
    'ქ\u0301.com',
    'shop.भारत',
    'evil。example',
    'evil．example',
    'evil｡example',
  ])
    assert.equal(namedInMail(name), null, name)
})
