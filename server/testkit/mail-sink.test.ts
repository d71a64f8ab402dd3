import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import test, { type TestContext } from 'node:test'
import { type MailSink, openMailSink } from './mail-sink.ts'

async function sink(t: TestContext): Promise<MailSink> {
  const opened = await openMailSink()
  t.after(() => opened.close())
  return opened
}

/** Says the lines one by one, each after the answer to the one before, and gives the answers. */
async function talk({ port }: MailSink, lines: readonly string[]): Promise<string[]> {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  const answers: string[] = []
  const left = [...lines]
  createInterface({ input: socket })
    .on('error', () => {})
    .on('line', (line) => {
      if (/^\d{3}-/.test(line)) return
      answers.push(line)
      const next = left.shift()
      if (next !== undefined) socket.write(`${next}\r\n`)
    })
  await new Promise((resolve) => socket.once('close', resolve))
  socket.destroy()
  return answers
}

const codes = (answers: readonly string[]): string => answers.map((line) => line.slice(0, 3)).join(' ')
const to = (address: string, body: string) => ['MAIL FROM:<a@x.example> SIZE=100', `RCPT TO:<${address}>`, 'DATA', body]

test('a mail is taken with its envelope, its headers and its text', async (t) => {
  const mail = await sink(t)
  const body = 'Subject: =?utf-8?B?4YOS?=\r\n =?utf-8?Q?_caf=C3=A9?=\r\nX-A: b\r\n\r\nHello\r\n..a dot\r\n.'
  assert.equal(codes(await talk(mail, ['EHLO me', ...to('b@y.example', body), 'QUIT'])), '220 250 250 250 354 250 221')
  const [first] = await mail.received(1)
  assert.deepEqual([first?.from, first?.to, first?.user], ['a@x.example', ['b@y.example'], undefined])
  assert.equal(first?.headers.get('subject'), 'გ café')
  assert.equal(first?.text, 'Hello\r\n.a dot')
  assert.equal(first?.parts.length, 1)
})

test('each part of a mail is decoded as it says', async (t) => {
  const mail = await sink(t)
  const body = [
    'Content-Type: multipart/mixed; boundary="o"\r\n\r\nfor old readers',
    '--o\r\nContent-Type: multipart/alternative; boundary=i\r\n',
    '--i\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nf=C3=BCr =\r\ndich=\r\n =3D',
    '--i\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\nPGI+4YOSPC9i\r\nPg==',
    '--i--\r\n',
    '--o\r\nContent-Type: text/plain\r\n\r\nლ',
    '--o--',
    '.',
  ].join('\r\n')
  await talk(mail, ['EHLO me', ...to('b@y.example', body), 'QUIT'])
  const [first] = await mail.received(1)
  assert.deepEqual(
    first?.parts.map(({ type, text }) => [type.split(';')[0], text]),
    [
      ['text/plain', 'für dich ='],
      ['text/html', '<b>გ</b>'],
      ['text/plain', 'ლ'],
    ],
  )
})

test('anybody may sign in, either way', async (t) => {
  const mail = await sink(t)
  const plain = `AUTH PLAIN ${Buffer.from('\0me\0secret').toString('base64')}`
  assert.equal(
    codes(await talk(mail, ['EHLO me', plain, ...to('b@y.example', '\r\nx\r\n.'), 'QUIT'])).slice(0, 11),
    '220 250 235',
  )
  const login = ['AUTH LOGIN', Buffer.from('you').toString('base64'), Buffer.from('pw').toString('base64')]
  assert.equal(
    codes(await talk(mail, ['EHLO me', ...login, ...to('b@y.example', '\r\nx\r\n.'), 'QUIT'])).slice(0, 19),
    '220 250 334 334 235',
  )
  assert.deepEqual(
    (await mail.received(2)).map(({ user }) => user),
    ['me', 'you'],
  )
})

test('an address is refused as often as was said, and then taken', async (t) => {
  const mail = await sink(t)
  mail.refuse('B@y.example', 'for now', 2)
  mail.refuse('never@y.example', 'for good', Infinity)
  const rcpt = ['EHLO me', 'MAIL FROM:<a@x.example>', 'RCPT TO:<b@y.example>', 'DATA', 'QUIT']
  assert.equal(codes(await talk(mail, rcpt)), '220 250 250 451 503 221')
  assert.equal(codes(await talk(mail, rcpt)), '220 250 250 451 503 221')
  for (let time = 0; time < 3; time++) {
    assert.match((await talk(mail, ['EHLO me', ...to('never@y.example', 'QUIT')])).join(), /550/)
  }
  await talk(mail, ['EHLO me', ...to('b@y.example', '\r\nx\r\n.'), 'QUIT'])
  assert.equal((await mail.received(1)).length, 1)
})

test('it can hang up in the middle, and takes the next one all the same', async (t) => {
  const mail = await sink(t)
  mail.refuse('b@y.example', 'hang up')
  assert.equal(codes(await talk(mail, ['EHLO me', ...to('b@y.example', 'x')])), '220 250 250')
  await talk(mail, ['EHLO me', ...to('b@y.example', '\r\nx\r\n.'), 'QUIT'])
  await mail.received(1)
  await assert.rejects(mail.received(2, 20), /1 of 2 mails/)
})
