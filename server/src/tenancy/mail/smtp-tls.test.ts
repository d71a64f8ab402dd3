// Mail over TLS: to a server that can prove who it is, and to no other.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import net, { type AddressInfo, type Socket } from 'node:net'
import test, { after, before } from 'node:test'
import tls from 'node:tls'
import { testSettings } from '../../../testkit/house.ts'
import { type MailSink, openMailSink } from '../../../testkit/mail-sink.ts'
import { openTransport } from './transport.ts'

const fixture = (name: string) => readFileSync(new URL(`../../kernel/egress/fixtures/${name}`, import.meta.url))
const certificate = { key: fixture('server-key.pem'), cert: fixture('server-cert.pem') }

let sink: MailSink
const servers: net.Server[] = []
const sockets = new Set<Socket>()
before(async () => {
  sink = await openMailSink()
})
after(async () => {
  for (const socket of sockets) socket.destroy()
  for (const server of servers) server.close()
  await sink.close()
})

async function listening(server: net.Server): Promise<number> {
  servers.push(server.on('connection', (socket: Socket) => void sockets.add(socket.on('error', () => {}))))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const onwards = (socket: Socket): Socket => {
  const inner = net.connect(sink.port, '127.0.0.1')
  sockets.add(inner.on('error', () => socket.destroy()))
  socket.on('error', () => inner.destroy())
  return inner
}

/** TLS from the first byte, in front of the sink. */
const speaksTls = () =>
  listening(
    tls.createServer(certificate, (socket) => {
      socket.pipe(onwards(socket)).pipe(socket)
    }),
  )

/** Greets in clear, and offers to go on in TLS, or does not. */
const speaksStartTls = (offers: boolean) =>
  listening(
    net.createServer(async (socket) => {
      socket.write('220 mail.example\r\n')
      await once(socket, 'data')
      socket.write(offers ? '250-mail.example\r\n250 STARTTLS\r\n' : '250 mail.example\r\n')
      const [said] = (await once(socket, 'data')) as [Buffer]
      if (!/^STARTTLS/i.test(said.toString())) return void socket.destroy()
      socket.write('220 go on\r\n')
      const secure = new tls.TLSSocket(socket, { isServer: true, ...certificate }).on('error', () => socket.destroy())
      const inner = onwards(secure)
      // Its greeting was given already.
      await once(inner, 'data')
      secure.pipe(inner).pipe(secure)
    }),
  )

let mails = 0
async function sendOver(port: number, security: 'tls' | 'starttls'): Promise<void> {
  const settings = testSettings({
    'Mail:Transport': 'smtp',
    'Mail:From': 'no-reply@tether.example',
    'Mail:Smtp:Host': 'localhost',
    'Mail:Smtp:Port': String(port),
    'Mail:Smtp:Security': security,
    'Mail:Smtp:TimeoutSeconds': '20',
  })
  const transport = openTransport(settings, () => {})
  assert.ok(transport)
  const mail = { id: `m${++mails}`, to: 'ana@shop.example', language: 'en', subject: 'S', text: 'T', html: '<p>T' }
  try {
    await transport.send(mail, AbortSignal.timeout(60_000))
  } finally {
    transport.close()
  }
}

test('a mail server that cannot prove who it is gets no mail, whatever the environment says', async () => {
  const known = process.env.NODE_TLS_REJECT_UNAUTHORIZED
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  try {
    await assert.rejects(sendOver(await speaksTls(), 'tls'), /certificate|issuer/i)
    await assert.rejects(sendOver(await speaksStartTls(true), 'starttls'), /certificate|issuer/i)
  } finally {
    if (known === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = known
  }
  assert.equal(sink.mails.length, 0)
})

test('one that offers no TLS gets none either', async () => {
  await assert.rejects(sendOver(await speaksStartTls(false), 'starttls'))
  assert.equal(sink.mails.length, 0)
})

test('one that can prove it gets its mail in both ways', async () => {
  const usual = tls.getCACertificates('default')
  tls.setDefaultCACertificates([...usual, fixture('authority.pem').toString()])
  try {
    await sendOver(await speaksTls(), 'tls')
    await sendOver(await speaksStartTls(true), 'starttls')
  } finally {
    tls.setDefaultCACertificates(usual)
  }
  assert.equal(sink.mails.length, 2)
})
