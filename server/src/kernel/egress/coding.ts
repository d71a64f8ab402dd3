import { brotliDecompress, constants, createBrotliDecompress, createGunzip, gunzip } from 'node:zlib'
import type { Deadline } from './deadline.ts'
import { EgressFault, errorCode } from './fault.ts'
import { Gather } from './gather.ts'

/** How a body is compressed. `unknown` is anything that we did not ask for. */
export type Coding = 'identity' | 'gzip' | 'br' | 'unknown'

export const acceptedCodings = (compressed: boolean): string => (compressed ? 'gzip, br' : 'identity')

export function codingOf(header: string | string[] | undefined, compressed: boolean): Coding {
  if (header === undefined || header === '') return 'identity'
  if (Array.isArray(header)) return 'unknown'
  const name = header.trim().toLowerCase()
  if (name === 'identity') return 'identity'
  if (!compressed) return 'unknown'
  if (name === 'gzip' || name === 'x-gzip') return 'gzip'
  return name === 'br' ? 'br' : 'unknown'
}

/** Unpacks at most `maxBytes`. Zlib stops as soon as its output is longer, however small the compressed bytes are. */
export function unpack(packed: Buffer, coding: 'gzip' | 'br', maxBytes: number, deadline: Deadline): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    deadline.watch(reject)
    const done = (error: Error | null, bytes: Buffer): void => {
      deadline.unwatch()
      if (error === null) resolve(bytes)
      else reject(unpackFault(error, maxBytes))
    }
    if (coding === 'gzip') gunzip(packed, { maxOutputLength: maxBytes }, done)
    else brotliDecompress(packed, { maxOutputLength: maxBytes }, done)
  })
}

export type Unpacked = { readonly body: Buffer; readonly isCut: boolean }

type Packed = { readonly packed: Buffer; readonly isCut: boolean }

/** Unpacks the first `maxBytes` and no more, even of a body whose own end is missing. */
export function unpackBeginning(
  { packed, isCut }: Packed,
  coding: 'gzip' | 'br',
  maxBytes: number,
  deadline: Deadline,
): Promise<Unpacked> {
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = constants
  const stream =
    coding === 'gzip'
      ? createGunzip({ finishFlush: Z_SYNC_FLUSH })
      : createBrotliDecompress({ finishFlush: BROTLI_OPERATION_FLUSH })
  const body = new Gather()
  return new Promise((resolve, reject) => {
    const end = (wasCut: boolean): void => {
      deadline.unwatch()
      stream.destroy()
      resolve({ body: body.take(), isCut: wasCut })
    }
    deadline.watch((fault) => {
      stream.destroy()
      reject(fault)
    })
    stream.on('data', (chunk: Buffer) => {
      const room = maxBytes - body.length
      body.add(chunk.subarray(0, room))
      if (chunk.length > room) end(true)
    })
    stream.on('end', () => end(isCut))
    stream.on('error', (error) => {
      deadline.unwatch()
      reject(unpackFault(error, maxBytes))
    })
    stream.end(packed)
  })
}

function unpackFault(error: Error, maxBytes: number): EgressFault {
  const code = errorCode(error)
  return code === 'ERR_BUFFER_TOO_LARGE'
    ? tooLarge(maxBytes)
    : new EgressFault('invalid_answer', 'The body of the answer could not be decompressed.', code)
}

export const tooLarge = (maxBytes: number): EgressFault =>
  new EgressFault('too_large', `The answer is larger than ${maxBytes} bytes.`)
