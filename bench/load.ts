// A light closed-loop load generator for HTTP/1.1: raw sockets that stay open, requests that are bytes from the start, and
// of each answer only what tells where it ends. Whatever it spared itself, the servers under measure can use.
import { once } from 'node:events'
import net from 'node:net'
import { lasting } from './parts/scale.ts'

export type LoadOptions = {
  readonly port: number
  /** Sent one after the other, by whichever connection is free. */
  readonly requests: readonly Buffer[]
  readonly connections: number
  /** Each body a moment after its head, as a slow client sends it. */
  readonly lateBodies?: boolean | undefined
}

export type Load = {
  /** Keeps every connection busy for that long, waits for the last answers, and tells how many came per second. */
  slice(milliseconds: number): Promise<number>
  /** Forgets the answers so far: those of a server that was still warming up. */
  forget(): void
  answers(): number
  /** Milliseconds within which this share of the answers came, 0.5 or 0.99. */
  latency(share: number): number
  close(): void
}

export async function openLoad({ port, requests, connections, lateBodies = false }: LoadOptions): Promise<Load> {
  let turn = 0
  let latencies: number[] = []
  const next = (): Buffer => requests[turn++ % requests.length] ?? Buffer.alloc(0)
  const lines = await Promise.all(Array.from({ length: connections }, () => openLine(port, lateBodies)))
  return {
    async slice(milliseconds) {
      const before = latencies.length
      const started = performance.now()
      await Promise.all(lines.map((line) => line.run(started + lasting(milliseconds), next, latencies)))
      return ((latencies.length - before) / (performance.now() - started)) * 1000
    },
    forget: () => {
      latencies = []
    },
    answers: () => latencies.length,
    latency: (share) => [...latencies].sort((one, other) => one - other)[Math.floor(latencies.length * share)] ?? 0,
    close: () => {
      for (const line of lines) line.close()
    },
  }
}

type Line = {
  run(until: number, next: () => Buffer, latencies: number[]): Promise<void>
  close(): void
}

async function openLine(port: number, lateBodies: boolean): Promise<Line> {
  const socket = net.connect(port, '127.0.0.1').setNoDelay(true)
  await once(socket, 'connect')
  let onBytes = (_bytes: Buffer): void => undefined
  let onEnd = (_reason: Error): void => undefined
  socket.on('data', (bytes) => onBytes(bytes))
  socket.on('error', (error) => onEnd(error))
  socket.on('close', () => onEnd(new Error('The server closed a connection under load.')))

  const run: Line['run'] = (until, next, latencies) =>
    new Promise((resolve, reject) => {
      let unread: Buffer = Buffer.alloc(0)
      let sentAt = 0
      const send = (): void => {
        sentAt = performance.now()
        const request = next()
        if (!lateBodies) return void socket.write(request)
        const headEnd = request.indexOf(HEAD_END) + HEAD_END.length
        socket.write(request.subarray(0, headEnd))
        setTimeout(() => socket.write(request.subarray(headEnd)), 1)
      }
      const take = (bytes: Buffer): void => {
        unread = unread.length === 0 ? bytes : Buffer.concat([unread, bytes])
        const answer = answerIn(unread)
        if (answer === undefined) return
        // One request at a time: more bytes than its answer, or another answer than 200, voids the figure.
        if (answer.status !== 200 || unread.length > answer.bytes) {
          throw new Error(`Expected one answer of status 200, got: ${unread.toString('latin1').slice(0, 800)}`)
        }
        unread = Buffer.alloc(0)
        const now = performance.now()
        latencies.push(now - sentAt)
        if (now < until) send()
        else resolve()
      }
      onEnd = reject
      onBytes = (bytes) => {
        try {
          take(bytes)
        } catch (error) {
          reject(error)
        }
      }
      send()
    })
  return { run, close: () => socket.destroy() }
}

const HEAD_END = '\r\n\r\n'

/** The first answer in these bytes; undefined while it is not complete. */
export function answerIn(bytes: Buffer): { status: number; bytes: number } | undefined {
  const headEnd = bytes.indexOf(HEAD_END)
  if (headEnd < 0) return undefined
  const head = bytes.toString('latin1', 0, headEnd)
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length === undefined) throw new Error(`An answer without Content-Length cannot be counted:\n${head}`)
  const end = headEnd + HEAD_END.length + Number(length)
  return bytes.length < end ? undefined : { status: Number(head.slice(9, 12)), bytes: end }
}

/** The bytes of a GET request. */
export const getRequest = (path: string, headers: Readonly<Record<string, string>>): Buffer =>
  Buffer.from(
    [
      `GET ${path} HTTP/1.1`,
      'host: 127.0.0.1',
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ].join('\r\n') + HEAD_END,
  )
