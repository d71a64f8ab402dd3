// HTTP by the byte: a client library would refuse to send most of what a stranger can.
import { connect, type Socket } from 'node:net'

export type WireAnswer = {
  readonly status: number
  /** Names in lower case; a header that came twice has two values. */
  readonly headers: ReadonlyMap<string, readonly string[]>
  readonly body: Buffer
}

/**
 * What the sender does when its bytes are written: waits for one answer (`one`), reads until the server closes (`all`),
 * closes its own side and reads until the server closes (`end`), or is gone (`vanish`).
 */
export type Manner = 'one' | 'all' | 'end' | 'vanish'

export type Sending = {
  readonly pieces: readonly Buffer[]
  readonly manner: Manner
  /** The answer to HEAD has no body, whatever its headers say. */
  readonly head: boolean
  /** Whether the connection may serve another request afterwards. */
  readonly reusable: boolean
}

export type Outcome = {
  readonly answers: readonly WireAnswer[]
  readonly end: 'answered' | 'closed' | 'late'
  /** What came and was no answer. */
  readonly rest: Buffer
  readonly ms: number
}

export type WireClient = { send(sending: Sending): Promise<Outcome>; close(): void }

export function openWire(port: number, deadlineMs: number): WireClient {
  const idle: Socket[] = []
  const open = (): Socket => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    socket.setNoDelay(true)
    // What went wrong shows as a connection that closed.
    socket.on('error', () => {})
    // Nothing more comes, so nothing more is said: also on a connection that is kept and not read.
    socket.once('end', () => socket.destroy())
    return socket
  }
  const reuse = (): Socket | undefined => {
    const socket = idle.pop()
    return socket?.destroyed === true ? reuse() : socket
  }
  return {
    async send(sending) {
      const kept = sending.reusable ? reuse() : undefined
      const socket = kept ?? open()
      const outcome = await exchange(socket, sending, deadlineMs)
      const unheard = outcome.end === 'closed' && outcome.answers.length === 0 && outcome.rest.length === 0
      // The server may close a connection that it keeps for us at any time, also in the moment in which we use it.
      if (kept !== undefined && unheard) return await exchangeAnew(open(), sending, deadlineMs)
      const answer = outcome.answers.at(-1)
      const stays = answer?.headers.get('connection')?.[0]?.toLowerCase() !== 'close' && outcome.rest.length === 0
      if (sending.reusable && outcome.end === 'answered' && stays) idle.push(socket)
      else socket.resetAndDestroy()
      return outcome
    },
    close() {
      for (const socket of idle.splice(0)) socket.resetAndDestroy()
    },
  }
}

async function exchangeAnew(socket: Socket, sending: Sending, deadlineMs: number): Promise<Outcome> {
  const outcome = await exchange(socket, sending, deadlineMs)
  socket.resetAndDestroy()
  return outcome
}

async function exchange(socket: Socket, { pieces, manner, head }: Sending, deadlineMs: number): Promise<Outcome> {
  const startedAt = performance.now()
  let unread: Buffer = Buffer.alloc(0)
  const answers: WireAnswer[] = []
  const over = Promise.withResolvers<Outcome['end']>()
  const read = (atEnd: boolean) => {
    for (;;) {
      const found = readAnswer(unread, head, atEnd)
      if (found === undefined) return
      unread = unread.subarray(found.length)
      // 100 Continue is no answer yet.
      if (found.answer.status >= 200) answers.push(found.answer)
      if (manner === 'one' && answers.length > 0) over.resolve('answered')
    }
  }
  const take = (chunk: Buffer) => {
    unread = unread.length === 0 ? chunk : Buffer.concat([unread, chunk])
    read(false)
  }
  const finish = () => {
    read(true)
    over.resolve(answers.length > 0 ? 'answered' : 'closed')
  }
  const late = setTimeout(() => over.resolve('late'), deadlineMs)
  socket.on('data', take).on('end', finish).on('close', finish)
  await write(socket, pieces)
  if (manner === 'end') socket.end()
  if (manner === 'vanish') socket.resetAndDestroy()
  const end = await over.promise
  clearTimeout(late)
  socket.off('data', take).off('end', finish).off('close', finish)
  return { answers, end, rest: unread, ms: performance.now() - startedAt }
}

/** Piece by piece, so that the server sees the gaps between them. */
async function write(socket: Socket, pieces: readonly Buffer[]): Promise<void> {
  for (const [place, piece] of pieces.entries()) {
    if (place > 0) await new Promise((resolve) => setTimeout(resolve, 2))
    if (socket.destroyed) return
    socket.write(piece)
  }
}

type Found = { answer: WireAnswer; length: number }

function readAnswer(bytes: Buffer, head: boolean, atEnd: boolean): Found | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd === -1) return undefined
  const [statusLine = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n')
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(statusLine)?.[1] ?? Number.NaN)
  if (Number.isNaN(status)) return undefined
  const headers = headersOf(lines)
  const rest = bytes.subarray(headEnd + 4)
  const body = head || status < 200 || status === 204 || status === 304 ? empty : bodyOf(headers, rest, atEnd)
  return body && { answer: { status, headers, body: body.bytes }, length: headEnd + 4 + body.length }
}

type Body = { readonly bytes: Buffer; readonly length: number }
const empty: Body = { bytes: Buffer.alloc(0), length: 0 }

function headersOf(lines: readonly string[]): Map<string, string[]> {
  const headers = new Map<string, string[]>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    headers.set(name, [...(headers.get(name) ?? []), line.slice(colon + 1).trim()])
  }
  return headers
}

function bodyOf(headers: Map<string, string[]>, rest: Buffer, atEnd: boolean): Body | undefined {
  if (headers.get('transfer-encoding')?.[0] === 'chunked') return dechunked(rest)
  const declared = headers.get('content-length')?.[0]
  if (declared === undefined) return atEnd ? { bytes: rest, length: rest.length } : undefined
  const length = Number(declared)
  return rest.length >= length ? { bytes: rest.subarray(0, length), length } : undefined
}

function dechunked(rest: Buffer): Body | undefined {
  const parts: Buffer[] = []
  for (let at = 0; ; ) {
    const lineEnd = rest.indexOf('\r\n', at)
    if (lineEnd === -1) return undefined
    const size = Number.parseInt(rest.subarray(at, lineEnd).toString('latin1'), 16)
    const next = lineEnd + 2 + size + 2
    if (rest.length < next) return undefined
    if (size === 0) return { bytes: Buffer.concat(parts), length: next }
    parts.push(rest.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = next
  }
}
