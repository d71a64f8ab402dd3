import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls'
import { canonicalAddress } from './address.ts'
import { connectFault, Fault } from './fault.ts'
import type { Target } from './url.ts'
import type { Vet } from './vet.ts'

export type Dialed = { readonly socket: Socket | TLSSocket; readonly address: string }

export type DialOptions = {
  readonly vet: Vet
  readonly secureContext: SecureContext
  /** For TCP and TLS together. */
  readonly connectMs: number
  /** The TLS session of the last connection to this origin, so that the next handshake is a short one. */
  readonly session: { last: Buffer | undefined }
}

type Done = (error: Fault | null, dialed: Dialed | null) => void

/**
 * Resolves, checks and connects to exactly what was checked: the socket is given the checked addresses, so no second look-up can
 * put another in their place, while Host, SNI and the certificate's name stay those of the URL. Returns the way to give up.
 */
export function dial(target: Target, options: DialOptions, done: Done): () => void {
  let socket: Socket | null = null
  let settled = false
  const settle: Done = (error, dialed) => {
    if (settled) return
    settled = true
    if (error !== null) socket?.destroy()
    done(error, dialed)
  }
  options
    .vet(target)
    .then((addresses) => {
      if (!settled) socket = open(target, addresses, options, settle)
    })
    .catch((error: unknown) => settle(connectFault(error), null))
  return () => settle(new Fault('aborted', 'The connection is no longer wanted.'), null)
}

function open(target: Target, addresses: readonly string[], options: DialOptions, settle: Done): Socket {
  const socket = target.secure ? openTls(target, addresses, options) : openTcp(target, addresses)
  const timer = setTimeout(() => settle(slow(options.connectMs), null), options.connectMs)
  socket.setNoDelay(true)
  socket.setKeepAlive(true, 60_000)
  // Stays for the life of the socket: an error nobody listens to would end the process.
  socket.on('error', (error) => settle(connectFault(error), null))
  socket.once('close', () => {
    clearTimeout(timer)
    settle(connectFault(null), null)
  })
  socket.once(target.secure ? 'secureConnect' : 'connect', () => {
    clearTimeout(timer)
    const address = canonicalAddress(socket.remoteAddress ?? '')
    if (addresses.includes(address)) settle(null, { socket, address })
    else settle(new Fault('refused', 'The connection went to an address that was not checked.', 'EGRESS_PIN'), null)
  })
  return socket
}

const slow = (milliseconds: number): Fault =>
  new Fault('unreachable', `The server did not accept the connection within ${milliseconds} ms.`, 'EGRESS_CONNECT')

function openTcp(target: Target, addresses: readonly string[]): Socket {
  return connectTcp(route(target, addresses))
}

function openTls(target: Target, addresses: readonly string[], { secureContext, session }: DialOptions): TLSSocket {
  const socket = connectTls({
    ...route(target, addresses),
    secureContext,
    // Said aloud, because the default can be switched off by an environment variable.
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

type Route = { host: string; port: number; lookup: LookupFunction; autoSelectFamily: true; highWaterMark: number }

const route = (target: Target, addresses: readonly string[]): Route => ({
  host: target.host,
  port: target.port,
  lookup: pinned(addresses),
  // Tries the next address when one does not answer at once (RFC 8305).
  autoSelectFamily: true,
  highWaterMark: 64 * 1024,
})

/** Answers every question with the checked addresses. */
const pinned =
  (addresses: readonly string[]): LookupFunction =>
  (_name, options, callback) => {
    const answers = addresses.map((address) => ({ address, family: isIP(address) }))
    const [first] = answers
    if (options.all === true || first === undefined) callback(null, answers)
    else callback(null, first.address, first.family)
  }
