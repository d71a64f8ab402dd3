import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertTakesLess, leastProcessorMs, processorMs } from '../../../testkit/processor.ts'
import { readForm, readFormWithFiles } from './body.ts'
import { Refusal } from './refusal.ts'

test('a field is a list of what was sent under its name', () => {
  assert.deepEqual(readForm(Buffer.from('a=1&b=%E1%83%90+x&a=2&c')), { a: ['1', '2'], b: ['ა x'], c: [''] })
  assert.deepEqual(readForm(Buffer.from('')), {})
})

test('a sign that no database stores is refused, as it is and as an address writes it', () => {
  for (const form of ['a=%00', 'a=x\0y', 'x\0y=1'])
    assert.throws(
      () => readForm(Buffer.from(form)),
      (error) => error instanceof Refusal && /The form contains a NUL/.test(error.message),
    )
})

test('a form is read as the platform reads one', () => {
  for (const form of [
    'a=1&b=2&&c&=d&e==f&g=h=i&',
    'a+b=c+d&%61=%41&%=%&%4=%4g&%zz=%E1%83',
    '%E1%83%90=%ff&x=%EF%BB%BFy&\uFEFFq=1&a=%F0%9F%98%80&ა=ბ+გ',
    '__proto__=1&constructor=2',
  ]) {
    const pairs = Object.entries(readForm(Buffer.from(form))).flatMap(([name, values]) =>
      values.map((value) => [name, value]),
    )
    const theirs = [...new URLSearchParams(form)]
    assert.deepEqual(pairs.sort(), theirs.sort(), form)
  }
})

test('a large form costs a few times what its bytes cost to look at, whatever it is made of', () => {
  const form = (piece: string) => Buffer.from(`a=${piece.repeat(12_000_000 / piece.length)}`)
  const plain = form('a')
  const letters = leastProcessorMs(() => readForm(plain))
  for (const piece of ['+', '%41', '%', '%E1%83%90']) {
    const bytes = form(piece)
    assertTakesLess(8 * Math.max(20, letters), () => readForm(bytes), `${piece} (letters ${letters} ms)`)
  }
})

test('a form costs what its size costs, and one of very many fields is refused before they are read', () => {
  // A copy of the list for each field took minutes.
  assertTakesLess(1_000, () => {
    assert.equal(readForm(Buffer.from('a=&'.repeat(4_999))).a?.length, 4_999)
    for (const form of ['a=&'.repeat(300_000), '&'.repeat(1_000_000)]) {
      assert.throws(
        () => readForm(Buffer.from(form)),
        (error) => error instanceof Refusal && /fields/.test(error.message),
      )
    }
  })
})

const TYPE = 'multipart/form-data; boundary=----line'
const part = (head: string, body: string | Buffer) =>
  Buffer.concat([
    Buffer.from(`------line\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
    Buffer.from(body),
    Buffer.from('\r\n'),
  ])
const END = Buffer.from('------line--\r\n')

test('a form with files has the text of each file, and its name beside it', async () => {
  const file = part('name="file"; filename="წესები.md"\r\nContent-Type: text/markdown', '# ა\r\n--b\n')
  const sent = Buffer.concat([part('name="token"', 't'), part('name="a"', '1'), part('name="a"', '2'), file, END])
  assert.deepEqual(await readFormWithFiles(sent, TYPE), {
    token: ['t'],
    a: ['1', '2'],
    file: ['# ა\r\n--b\n'],
    'file.name': ['წესები.md'],
  })
  const none = Buffer.concat([part('name="file"; filename=""\r\nContent-Type: application/octet-stream', ''), END])
  assert.deepEqual(await readFormWithFiles(none, TYPE), { file: [''], 'file.name': [''] })
})

test('a form with files that cannot be read is refused in words', async () => {
  const tries: [string, Buffer, string, RegExp][] = [
    ['no boundary', END, 'multipart/form-data', /could not be read/],
    ['no end', part('name="a"', '1'), TYPE, /could not be read/],
    ['no name', Buffer.concat([part('x="a"', '1'), END]), TYPE, /could not be read/],
    [
      'no text',
      Buffer.concat([part('name="f"; filename="a.bin"', Buffer.from([0xff, 0xfe, 0x41])), END]),
      TYPE,
      /UTF-8/,
    ],
    ['NUL', Buffer.concat([part('name="f"; filename="a.txt"', 'a\0b'), END]), TYPE, /NUL/],
    ['a long head', Buffer.concat([part(`name="${'n'.repeat(5_000)}"`, '1'), END]), TYPE, /could not be read/],
    ['too many', Buffer.concat([...Array.from({ length: 5_001 }, () => part('name="a"', '')), END]), TYPE, /fields/],
  ]
  for (const [what, bytes, type, says] of tries) {
    await assert.rejects(
      readFormWithFiles(bytes, type),
      (error) => error instanceof Refusal && says.test(error.message),
      what,
    )
  }
})

test('a form with files costs what its size costs, whatever stands in it', async () => {
  const size = 2 * 1024 * 1024
  const opening = '------line\r\nContent-Disposition: form-data; name="a"; filename="b'
  const tries = ['-', '\r\n-', '\r\nX: y', '%0A%0D%22', '------lin\r\n'].flatMap((sign) => [
    Buffer.concat([Buffer.from(`${opening}"\r\n\r\n`), Buffer.alloc(size, sign), Buffer.from('\r\n'), END]),
    Buffer.concat([Buffer.from(opening), Buffer.alloc(size, sign), Buffer.from('"\r\n\r\n\r\n'), END]),
  ])
  const started = processorMs()
  for (const bytes of tries) await readFormWithFiles(bytes, TYPE).catch((error) => assert.ok(error instanceof Refusal))
  const took = processorMs() - started
  assert.ok(took < 3_000, `${took} ms`)
})

test('refuses an encoded surrogate in a name or a value, which would be stored as something else', async () => {
  for (const form of ['a=%ED%A0%80', 'a=x%ed%bf%bfy', '%ED%A0%BD%ED%B2%A1=1'])
    assert.throws(
      () => readForm(Buffer.from(form)),
      (error) => error instanceof Refusal && error.code === 'invalid_request',
      form,
    )
  assert.deepEqual(readForm(Buffer.from('a=%ED%9F%BF')), { a: ['\ud7ff'] })
  for (const sent of [
    part('name="a"', Buffer.from([0xed, 0xa0, 0x80])),
    part('name="a\0b"', '1'),
    part('name="f"; filename="a\0.txt"', 'text'),
  ])
    await assert.rejects(
      readFormWithFiles(Buffer.concat([sent, END]), TYPE),
      (error) => error instanceof Refusal && error.code === 'invalid_request',
    )
})
