// Stands between a process and PostgreSQL, reads the protocol along, and loses what is said about one statement:
// the database has done it, and nobody hears of it.

import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

/**
 * `unasked`: the statement never arrives, and the line breaks. `cut`: it is committed, and the line breaks before a byte of
 * the answer comes through. `mute`: it is committed, the line stays open, and nothing ever comes through it again.
 */
export type Loss = 'unasked' | 'cut' | 'mute'

export type WireProxy = {
  /** The address of the database, by way of here. */
  readonly url: string
  /** The next executions of this statement are lost, each once. Ends when all of them were. */
  lose(statement: string, loss: Loss, times: number): Promise<void>
  close(): Promise<void>
}

type Trap = { readonly statement: string; readonly loss: Loss; left: number; readonly sprung: () => void }

export async function openWireProxy(databaseUrl: string): Promise<WireProxy> {
  const { port, hostname } = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const traps = new Set<Trap>()
  const spring = (statement: string): Loss | undefined => {
    for (const trap of traps) {
      if (trap.statement !== statement) continue
      trap.left--
      if (trap.left === 0) {
        traps.delete(trap)
        trap.sprung()
      }
      return trap.loss
    }
    return undefined
  }
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.setNoDelay(true).on('error', () => {})
      socket.once('close', () => sockets.delete(socket))
    }
    relay(client, upstream, spring)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    lose(statement, loss, times) {
      const { promise, resolve } = Promise.withResolvers<void>()
      traps.add({ statement, loss, left: times, sprung: resolve })
      return promise
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function relay(client: Socket, upstream: Socket, spring: (statement: string) => Loss | undefined): void {
  let lost: Loss | undefined
  const cut = () => {
    client.destroy()
    upstream.destroy()
  }
  // The first message of a client has no type.
  const asked = messagesOf(false, (message) => {
    const statement = statementOf(message)
    if (statement !== undefined) lost ??= spring(statement)
    if (lost === 'unasked') cut()
    else upstream.write(message)
  })
  const answered = messagesOf(true, (message) => {
    if (lost === undefined) client.write(message)
    // Ready for the next query: what was asked is committed.
    else if (lost === 'cut' && message[0] === READY) cut()
  })
  client.on('data', asked)
  upstream.on('data', answered)
  client.once('close', () => upstream.destroy())
  upstream.once('close', () => client.destroy())
}

const READY = 'Z'.charCodeAt(0)
const BIND = 'B'.charCodeAt(0)

/** Cuts a stream into the messages of the protocol: a type, a length that counts itself, and as much. */
function messagesOf(typedFromStart: boolean, each: (message: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0)
  let typed = typedFromStart
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const head = typed ? 1 : 0
      if (rest.length < head + 4) return
      const length = head + rest.readUInt32BE(head)
      if (rest.length < length) return
      each(rest.subarray(0, length))
      rest = rest.subarray(length)
      typed = true
    }
  }
}

/** A Bind names its portal, then the prepared statement, each ended by a zero. */
function statementOf(message: Buffer): string | undefined {
  if (message[0] !== BIND) return undefined
  const afterPortal = message.indexOf(0, 5) + 1
  return message.subarray(afterPortal, message.indexOf(0, afterPortal)).toString('latin1')
}
