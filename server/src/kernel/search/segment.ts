// The index of one document, packed so that it is read without parsing: sorted hashes of words and of grams, and for each the
// chunks that hold it. Whatever belongs together is in one value, so a reader sees a whole version or another whole version.
import { turnOf, type Work } from '../json/index.ts'
import type { Chunk } from './cut-text.ts'
import { type Channel, gatherTerms } from './gather-terms.ts'
import { gramsOf, hasGeorgian, hashOf, stemOf, wordsOf } from './words.ts'

export type Segment = {
  readonly size: number
  readonly words: Channel
  readonly grams: Channel
  readonly hasGeorgian: boolean
}

/** Changes with the form of a segment or with what is compared, so that old ones are built again. */
const SEGMENT_VERSION = 1

const HEADER = 8
export const MOST_CHUNKS = 65_535

/** In units of text, between two pauses. What is compared counts, too: one sign may stand for eighteen. */
const A_TURN = 20_000

/** Builds the packed index of a document from what each chunk is found by. */
export function* packSegment(texts: readonly string[]): Work<Uint8Array> {
  if (texts.length > MOST_CHUNKS) throw new RangeError(`A document has at most ${MOST_CHUNKS} chunks.`)
  const isEnough = turnOf(A_TURN)
  const [words, grams] = [gatherTerms(texts.length), gatherTerms(texts.length)]
  let isGeorgian = false
  for (const [chunk, text] of texts.entries()) {
    for (const word of wordsOf(text)) {
      words.add(chunk, hashOf(stemOf(word)))
      for (const gram of gramsOf(word)) grams.add(chunk, hashOf(gram))
      if (isEnough(word.length)) yield
    }
    isGeorgian ||= hasGeorgian(text)
    if (isEnough(text.length)) yield
  }
  const byWords = yield* words.done()
  return yield* packed([byWords, yield* grams.done()], isGeorgian, texts.length)
}

const fourfold = (bytes: number): number => (bytes + 3) & ~3

function* packed(channels: readonly [Channel, Channel], georgian: boolean, size: number): Work<Uint8Array> {
  const [words, grams] = channels
  const header = Uint32Array.of(
    SEGMENT_VERSION,
    size,
    georgian ? 1 : 0,
    words.hashes.length,
    words.chunks.length,
    grams.hashes.length,
    grams.chunks.length,
    0,
  )
  const arrays = [header, ...channels.flatMap((one) => [one.hashes, one.starts, one.lengths, one.chunks, one.counts])]
  const bytes = new Uint8Array(arrays.reduce((sum, { byteLength }) => sum + fourfold(byteLength), 0))
  let at = 0
  for (const { buffer, byteOffset, byteLength } of arrays) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at)
    at += fourfold(byteLength)
    yield
  }
  return bytes
}

/** Reads a packed segment in place. Returns undefined for one that another version of this file packed. */
export function openSegment(bytes: Uint8Array): Segment | undefined {
  const whole = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice()
  if (whole.byteLength < HEADER * 4) return undefined
  const { buffer, byteOffset } = whole
  const header = new Uint32Array(buffer, byteOffset, HEADER)
  const [version, size = 0, georgian, wordTerms = 0, wordPostings = 0, gramTerms = 0, gramPostings = 0] = header
  if (version !== SEGMENT_VERSION) return undefined
  let at = byteOffset + HEADER * 4
  const after = (byteLength: number): number => {
    const from = at
    at += fourfold(byteLength)
    return from
  }
  const channel = (terms: number, postings: number): Channel => ({
    hashes: new Uint32Array(buffer, after(terms * 4), terms),
    starts: new Uint32Array(buffer, after((terms + 1) * 4), terms + 1),
    lengths: new Uint32Array(buffer, after(size * 4), size),
    chunks: new Uint16Array(buffer, after(postings * 2), postings),
    counts: new Uint8Array(buffer, after(postings), postings),
  })
  const words = channel(wordTerms, wordPostings)
  return { size, words, grams: channel(gramTerms, gramPostings), hasGeorgian: georgian === 1 }
}

/** What a chunk is found by: the title of its document, the path of its headings, and its own text. */
export const foundBy = (title: string, text: string, { heading, from, to }: Chunk): string =>
  `${title}\n${heading ?? ''}\n${text.slice(from, to)}`
