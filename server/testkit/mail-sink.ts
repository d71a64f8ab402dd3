// A mail server on loopback that takes every mail, keeps it, and can be told to refuse: for what the service sends.

import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'

export type Part = { readonly headers: ReadonlyMap<string, string>; readonly type: string; readonly text: string }

export type Mail = Part & {
  readonly from: string
  readonly to: readonly string[]
  /** Who signed in before, or undefined. */
  readonly user: string | undefined
  readonly raw: string
  /** Of a mail in several parts: each of them, decoded; of any other: the mail itself. */
  readonly parts: readonly Part[]
}

/** What the server does instead of taking a mail: refuses the recipient for good (550) or for now (451), or hangs up. */
export type Refusal = 'for good' | 'for now' | 'hang up'

export type MailSink = {
  readonly port: number
  readonly mails: readonly Mail[]
  /** The next so many mails to this address are refused; `Infinity` until it is said again. */
  refuse(address: string, how: Refusal, times?: number): void
  /** Resolves when so many mails have come, or rejects after the limit. */
  received(count: number, limitMs?: number): Promise<readonly Mail[]>
  close(): Promise<void>
}

type Refusing = { how: Refusal; left: number }

export async function openMailSink(): Promise<MailSink> {
  const mails: Mail[] = []
  const refusing = new Map<string, Refusing>()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    void converse(socket, refusing, (mail) => mails.push(mail)).catch(() => socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    mails,
    refuse: (address, how, times = 1) => void refusing.set(address.toLowerCase(), { how, left: times }),
    async received(count, limitMs = 60_000) {
      const startedAt = performance.now()
      while (mails.length < count) {
        if (performance.now() - startedAt > limitMs) throw new Error(`${mails.length} of ${count} mails came in time.`)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      return mails
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type Envelope = { from: string; to: string[]; user: string | undefined }

async function converse(socket: Socket, refusing: Map<string, Refusing>, take: (mail: Mail) => void): Promise<void> {
  // One character per byte until the mail says what its bytes mean.
  const lines = createInterface({ input: socket.setEncoding('latin1'), crlfDelay: Infinity })[Symbol.asyncIterator]()
  const next = async (): Promise<string> => {
    const { value, done } = await lines.next()
    if (done === true) throw new Error('The other side hung up.')
    return value
  }
  const say = (text: string) => socket.write(`${text}\r\n`)
  let envelope: Envelope = { from: '', to: [], user: undefined }
  say('220 mail-sink ESMTP')
  for (;;) {
    const line = await next()
    const verb = line.slice(0, 4).toUpperCase()
    if (verb === 'EHLO') say('250-mail-sink\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250-PIPELINING\r\n250 AUTH PLAIN LOGIN')
    else if (verb === 'AUTH') envelope = { ...envelope, user: await signIn(line, next, say) }
    else if (verb === 'MAIL') {
      envelope = { ...envelope, from: addressIn(line), to: [] }
      say('250 OK')
    } else if (verb === 'RCPT') {
      const refusal = refusalOf(addressIn(line), refusing)
      if (refusal === 'hang up') return void socket.resetAndDestroy()
      if (refusal === undefined) envelope.to.push(addressIn(line))
      say(
        refusal === undefined
          ? '250 OK'
          : refusal === 'for good'
            ? '550 5.1.1 No such person'
            : '451 4.3.0 Later, please',
      )
    } else if (verb === 'DATA' && envelope.to.length > 0) {
      say('354 Go ahead, and end with a dot')
      take({ ...readMail(await dotted(next)), ...envelope })
      envelope = { ...envelope, from: '', to: [] }
      say('250 2.0.0 Taken')
    } else if (verb === 'QUIT') return void socket.end('221 Bye\r\n')
    else say(['HELO', 'RSET', 'NOOP'].includes(verb) ? '250 OK' : verb === 'DATA' ? '503 RCPT first' : '502 Not here')
  }
}

async function signIn(line: string, next: () => Promise<string>, say: (text: string) => void): Promise<string> {
  const [, method = '', given] = line.split(' ')
  const asked = async (prompt: string) => {
    say(`334 ${prompt}`)
    return await next()
  }
  const decode = (text: string) => Buffer.from(text, 'base64').toString()
  const isPlain = method.toUpperCase() === 'PLAIN'
  const first = given ?? (await asked(isPlain ? '' : 'VXNlcm5hbWU6'))
  if (!isPlain) await asked('UGFzc3dvcmQ6')
  say('235 2.7.0 Welcome')
  return isPlain ? (decode(first).split('\0')[1] ?? '') : decode(first)
}

/** The lines up to the one that is a single dot; a line that begins with one was sent with two. */
async function dotted(next: () => Promise<string>): Promise<string> {
  const lines: string[] = []
  for (let line = await next(); line !== '.'; line = await next())
    lines.push(line.startsWith('.') ? line.slice(1) : line)
  return lines.join('\r\n')
}

const addressIn = (line: string): string => Buffer.from(/<([^>]*)>/.exec(line)?.[1] ?? '', 'latin1').toString()

function refusalOf(address: string, refusing: Map<string, Refusing>): Refusal | undefined {
  const found = refusing.get(address.toLowerCase())
  if (found === undefined || found.left <= 0) return undefined
  found.left--
  return found.how
}

function readMail(raw: string): Part & { raw: string; parts: readonly Part[] } {
  const whole = readPart(raw)
  const parts = partsOf(raw)
  return { ...whole, raw: Buffer.from(raw, 'latin1').toString(), parts: parts.length > 0 ? parts : [whole] }
}

/** The leaves of a mail, however deep they lie. */
function partsOf(raw: string): Part[] {
  const { type } = readPart(raw)
  const boundary = /boundary="?([^";]+)"?/i.exec(type)?.[1]
  if (boundary === undefined) return []
  return bodyOf(raw)
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => part.replace(/^\r\n/, '').replace(/\r\n$/, ''))
    .flatMap((part) => (partsOf(part).length > 0 ? partsOf(part) : [readPart(part)]))
}

const bodyOf = (raw: string): string => {
  const end = raw.indexOf('\r\n\r\n')
  return end === -1 ? '' : raw.slice(end + 4)
}

function readPart(raw: string): Part {
  const [head = ''] = raw.split('\r\n\r\n', 1)
  const unfolded = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  const headers = new Map(
    unfolded.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      inWords(line.slice(line.indexOf(':') + 1).trim()),
    ]),
  )
  const type = headers.get('content-type') ?? 'text/plain'
  const bytes = decoded(bodyOf(raw), headers.get('content-transfer-encoding')?.toLowerCase())
  return { headers, type, text: bytes.toString() }
}

function decoded(body: string, encoding = '8bit'): Buffer {
  if (encoding === 'base64') return Buffer.from(body, 'base64')
  return Buffer.from(encoding === 'quoted-printable' ? unquoted(body.replace(/=[ \t]*\r\n/g, '')) : body, 'latin1')
}

const unquoted = (text: string): string =>
  text.replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** A header in any language: `=?utf-8?B?…?=` and `=?utf-8?Q?…?=`, and the space between two of them is none. */
const inWords = (value: string): string =>
  Buffer.from(value, 'latin1')
    .toString()
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64').toString()
        : Buffer.from(unquoted(text.replaceAll('_', ' ')), 'latin1').toString(),
    )
