import { once } from 'node:events'
import { connect } from 'node:net'

export type HeldAnswer = {
  readonly status: number
  readonly body: unknown
  /** Settles when the other side has ended the connection. */
  readonly closed: Promise<unknown>
}

/** A request over a socket of its own whose body is sent as slowly as a test likes. */
export type Held = {
  /** The head, and so many bytes of the body with it. */
  sendHead(bytes: number): Promise<void>
  sendMore(bytes: number): Promise<void>
  sendRest(): Promise<HeldAnswer>
  /** Head and body at once, as most clients do. */
  sendWhole(): Promise<HeldAnswer>
  /** For a server that answers before it has everything. */
  answer(): Promise<HeldAnswer>
  /** Ends the connection without waiting for an answer. */
  leave(): Promise<void>
}

export type HeldRequest = {
  readonly port: number
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}

export async function hold({ port, method, path, headers = {}, body }: HeldRequest): Promise<Held> {
  const socket = connect(port, '127.0.0.1').setNoDelay()
  await once(socket, 'connect')
  const bytes = Buffer.from(body)
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: tether.test',
    'Content-Type: application/json',
    `Content-Length: ${bytes.length}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  const top = Buffer.from(`${head.join('\r\n')}\r\n\r\n`)
  let sent = 0
  const write = (chunk: Buffer) => new Promise<void>((resolve) => socket.write(chunk, () => resolve()))
  const more = (count: number) => {
    sent += count
    return bytes.subarray(sent - count, sent)
  }

  const [answered, closed] = [Promise.withResolvers<HeldAnswer>(), Promise.withResolvers<void>()]
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    const whole = readAnswer(text)
    if (whole !== undefined) answered.resolve({ ...whole, closed: closed.promise })
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    closed.resolve()
    answered.reject(new Error(`The connection ended without a whole answer: ${text.slice(0, 200)}`))
  })
  answered.promise.catch(() => {})
  const answer = () => answered.promise

  return {
    sendHead: (count) => write(Buffer.concat([top, more(count)])),
    sendMore: (count) => write(more(count)),
    async sendRest() {
      await write(more(bytes.length))
      return await answer()
    },
    async sendWhole() {
      await write(Buffer.concat([top, more(bytes.length)]))
      return await answer()
    },
    answer,
    async leave() {
      socket.destroy()
      await closed.promise
    },
  }
}

function readAnswer(text: string): Pick<HeldAnswer, 'status' | 'body'> | undefined {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const body = Buffer.from(rest.join('\r\n\r\n'), 'latin1')
  const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? Number.NaN)
  if (body.length !== length) return undefined
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), body: JSON.parse(body.toString()) }
}
