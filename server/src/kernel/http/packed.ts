// A text that is compressed once and sent often.
import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Answer } from './endpoint.ts'

type Coding = 'br' | 'gzip' | 'identity'

export type Packed = {
  readonly type: string
  readonly etag: string
  readonly bodies: Readonly<Record<Coding, Buffer>>
}

/** In hexadecimal, from the content: it changes when that does. */
export const tagOf = (bytes: Buffer): string => createHash('sha384').update(bytes).digest('hex').slice(0, 16)

const [inBrotli, inGzip] = [promisify(brotliCompress), promisify(gzip)]

/** Beside the requests, in a thread of the system: no limit of requests holds for pages of ours, of which one has half a megabyte. */
async function packed(type: string, content: string | Buffer): Promise<Packed> {
  const identity = typeof content === 'string' ? Buffer.from(content) : content
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
  const [br, gzipped] = await Promise.all([inBrotli(identity, quality), inGzip(identity, { level: 9 })])
  return { type, etag: `"${tagOf(identity)}"`, bodies: { identity, br, gzip: gzipped } }
}

/** The content in the encoding that the caller reads, or nothing where its copy is current. */
export function packedAnswer({ type, etag, bodies }: Packed, asked: IncomingHttpHeaders): Answer {
  // The caller may keep the content, and asks whether it is current before each use.
  const headers = { etag, vary: 'accept-encoding', 'cache-control': 'no-cache' }
  if (matchesTag(asked['if-none-match'], etag)) return { status: 304, headers, text: { type, content: '' } }
  const coding = acceptedCoding(String(asked['accept-encoding'] ?? ''))
  const encoded = coding === 'identity' ? {} : { 'content-encoding': coding }
  return { status: 200, headers: { ...headers, ...encoded }, text: { type, content: bodies[coding] } }
}

/** Answers with one of a few texts, by its name. Each is made and compressed once, for the first request, and never again. */
export type PackedTexts = (name: string, type: string, make: () => string | Buffer | Promise<string>) => Promise<Packed>

export function openPackedTexts(): PackedTexts {
  const kept = new Map<string, Promise<Packed>>()
  return (name, type, make) => {
    const known = kept.get(name)
    if (known !== undefined) return known
    const making = Promise.resolve(make()).then((content) => packed(type, content))
    kept.set(name, making)
    return making
  }
}

/** Chooses the smallest encoding that the caller accepts. */
export function acceptedCoding(header: string): Coding {
  const taken = new Set(
    header
      .toLowerCase()
      .split(',')
      .map((part) => part.split(';').map((piece) => piece.trim()))
      .flatMap(([name = '', ...parameters]) => (parameters.some((one) => /^q=0(\.0+)?$/.test(one)) ? [] : [name])),
  )
  return (['br', 'gzip'] as const).find((coding) => taken.has(coding)) ?? 'identity'
}

/** True if the caller's copy is current. A proxy that compressed it may have made the tag a weak one. */
export const matchesTag = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((tag) => [etag, '*'].includes(tag.trim().replace(/^W\//, ''))) === true
