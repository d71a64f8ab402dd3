// From the parts of a request to the bytes on the wire: as HTTP says, or with a lie.
import type { Manner } from '../rig/wire.ts'
import type { Header } from './headers.ts'
import type { Random } from './random.ts'

export type Parts = {
  readonly method: string
  readonly address: string
  readonly headers: readonly Header[]
  readonly body: Buffer | undefined
}

export type Framed = {
  readonly pieces: readonly Buffer[]
  readonly manner: Manner
  /** A request that is HTTP must be answered; what is not may be hung up on. */
  readonly isHttp: boolean
}

const HOST: Header = ['Host', '127.0.0.1']

/** Every character of the head is one byte of it. */
export function headOf({ method, address, headers }: Omit<Parts, 'body'>, version = 'HTTP/1.1'): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${address} ${version}\r\n${lines.join('')}\r\n`, 'latin1')
}

const lengthOf = (body: Buffer): Header => ['Content-Length', String(body.length)]
const CHUNKED: Header = ['Transfer-Encoding', 'chunked']

export function frame(parts: Parts, random: Random): Framed {
  const { body, headers } = parts
  if (body === undefined)
    return { pieces: [headOf({ ...parts, headers: [HOST, ...headers] })], manner: 'one', isHttp: true }
  const way = random.weighted({ length: 8, chunked: 2, dripped: 1 })
  if (way === 'chunked') {
    return {
      pieces: [headOf({ ...parts, headers: [HOST, ...headers, CHUNKED] }), ...chunks(body, random)],
      manner: 'one',
      isHttp: true,
    }
  }
  const whole = Buffer.concat([headOf({ ...parts, headers: [HOST, ...headers, lengthOf(body)] }), body])
  return { pieces: way === 'dripped' ? cutUp(whole, random) : [whole], manner: 'one', isHttp: true }
}

function chunks(body: Buffer, random: Random): Buffer[] {
  const extension = random.chance(0.2) ? ';name="value"' : ''
  const parts = cutUp(body, random).map((part) =>
    Buffer.concat([Buffer.from(`${part.length.toString(16)}${extension}\r\n`), part, Buffer.from('\r\n')]),
  )
  const trailer = random.chance(0.2) ? 'X-Trailer: 1\r\n' : ''
  return [...parts, Buffer.from(`0\r\n${trailer}\r\n`)]
}

function cutUp(bytes: Buffer, random: Random): Buffer[] {
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const size = parts.length >= 4 ? bytes.length : 1 + random.int(bytes.length)
    parts.push(bytes.subarray(at, at + size))
    at += size
  }
  return parts
}
