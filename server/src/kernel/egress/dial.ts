import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls'
import { canonicalAddress } from './address.ts'
import { connectFault, EgressFault } from './fault.ts'
import type { Target } from './url.ts'
import type { Vet } from './vet.ts'

type Dialed = { readonly socket: Socket | TLSSocket; readonly address: string }

export type DialOptions = {
  readonly vet: Vet
  readonly secureContext: SecureContext
  /** The longest time for TCP and TLS together. */
  readonly connectMs: number
  /** The TLS session of the last connection to this origin, which shortens the next handshake. */
  readonly session: { last: Buffer | undefined }
}

type OnDialed = (error: EgressFault | null, dialed: Dialed | null) => void

/**
 * Resolves a name, checks its addresses and connects to exactly those, so that no second look-up can replace them.
 * Host, SNI and the certificate's name stay those of the URL. Returns a function that gives up.
 */
export function dial(target: Target, options: DialOptions, done: OnDialed): () => void {
  let socket: Socket | null = null
  let settled = false
  const settle: OnDialed = (error, dialed) => {
    if (settled) return
    settled = true
    if (error !== null) socket?.destroy()
    done(error, dialed)
  }
  options
    .vet(target)
    .then((addresses) => {
      if (!settled) socket = openSocket(target, addresses, options, settle)
    })
    .catch((error: unknown) => settle(connectFault(error), null))
  return () => settle(new EgressFault('aborted', 'The connection is no longer needed.'), null)
}

function openSocket(target: Target, addresses: readonly string[], options: DialOptions, settle: OnDialed): Socket {
  const socket = target.secure ? openTls(target, addresses, options) : openTcp(target, addresses)
  const timer = setTimeout(() => settle(slowConnectFault(options.connectMs), null), options.connectMs)
  socket.setNoDelay(true)
  socket.setKeepAlive(true, 60_000)
  // It stays for the life of the socket, because an error without a listener would end the process.
  socket.on('error', (error) => settle(connectFault(error), null))
  socket.once('close', () => {
    clearTimeout(timer)
    settle(connectFault(null), null)
  })
  socket.once(target.secure ? 'secureConnect' : 'connect', () => {
    clearTimeout(timer)
    const address = canonicalAddress(socket.remoteAddress ?? '')
    if (addresses.includes(address)) settle(null, { socket, address })
    else
      settle(new EgressFault('refused', 'The connection went to an address that was not checked.', 'EGRESS_PIN'), null)
  })
  return socket
}

const slowConnectFault = (milliseconds: number): EgressFault =>
  new EgressFault(
    'unreachable',
    `The server did not accept the connection within ${milliseconds} ms.`,
    'EGRESS_CONNECT',
  )

function openTcp(target: Target, addresses: readonly string[]): Socket {
  return connectTcp(socketOptions(target, addresses))
}

function openTls(target: Target, addresses: readonly string[], { secureContext, session }: DialOptions): TLSSocket {
  const socket = connectTls({
    ...socketOptions(target, addresses),
    secureContext,
    // We set it explicitly because an environment variable can turn the default off.
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
    ...(target.isLiteral ? {} : { servername: target.host }),
    ...(session.last === undefined ? {} : { session: session.last }),
  })
  socket.on('session', (next) => {
    session.last = next
  })
  return socket
}

type SocketOptions = {
  host: string
  port: number
  lookup: LookupFunction
  autoSelectFamily: true
  highWaterMark: number
}

const socketOptions = (target: Target, addresses: readonly string[]): SocketOptions => ({
  host: target.host,
  port: target.port,
  lookup: pinned(addresses),
  // Tries the next address if one does not answer at once (RFC 8305).
  autoSelectFamily: true,
  highWaterMark: 64 * 1024,
})

/** A look-up that always returns the checked addresses. */
const pinned =
  (addresses: readonly string[]): LookupFunction =>
  (_name, options, callback) => {
    const answers = addresses.map((address) => ({ address, family: isIP(address) }))
    const [first] = answers
    if (options.all === true || first === undefined) callback(null, answers)
    else callback(null, first.address, first.family)
  }
