// The vectors of one document's chunks, packed so that they are read without parsing, each behind a digest of the text that it was
// made from.
import { createHash } from 'node:crypto'

const DIGEST = 16
const HEADER = 8

export type Vectors = {
  readonly count: number
  readonly dimensions: number
  /** One vector after the other. */
  readonly numbers: Float32Array
  /** By the digest of a text, where its vector begins. */
  readonly places: ReadonlyMap<string, number>
}

export const digestOf = (text: string): string =>
  createHash('sha256').update(text).digest().subarray(0, DIGEST).toString('hex')

export function packVectors(digests: readonly string[], vectors: readonly Float32Array[]): Uint8Array {
  const dimensions = vectors[0]?.length ?? 0
  const head = HEADER + DIGEST * digests.length
  const bytes = new Uint8Array(head + 4 * dimensions * vectors.length)
  bytes.set(new Uint8Array(Uint32Array.of(vectors.length, dimensions).buffer))
  for (const [at, digest] of digests.entries()) bytes.set(Buffer.from(digest, 'hex'), HEADER + DIGEST * at)
  const numbers = new Float32Array(bytes.buffer, head, dimensions * vectors.length)
  for (const [at, vector] of vectors.entries()) numbers.set(vector, at * dimensions)
  return bytes
}

/** Reads packed vectors in place. Returns undefined for bytes that are none. */
export function openVectors(bytes: Uint8Array): Vectors | undefined {
  const whole = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice()
  if (whole.byteLength < HEADER) return undefined
  const { buffer, byteOffset } = whole
  const [count = 0, dimensions = 0] = new Uint32Array(buffer, byteOffset, 2)
  const head = HEADER + DIGEST * count
  if (whole.byteLength !== head + 4 * count * dimensions) return undefined
  const digests = Buffer.from(buffer, byteOffset + HEADER, DIGEST * count)
  const places = new Map(
    Array.from({ length: count }, (_, at) => [
      digests.toString('hex', at * DIGEST, (at + 1) * DIGEST),
      at * dimensions,
    ]),
  )
  return { count, dimensions, numbers: new Float32Array(buffer, byteOffset + head, count * dimensions), places }
}

type Near = { readonly document: number; readonly chunk: number; readonly similarity: number }

/** The chunks whose vectors point most nearly where the question's does, nearest first; equal ones keep their order. */
export function nearest(
  documents: readonly (Vectors | undefined)[],
  question: Float32Array,
  { least, limit }: { readonly least: number; readonly limit: number },
): Near[] {
  const found: Near[] = []
  for (const [document, vectors] of documents.entries()) {
    if (vectors === undefined || vectors.dimensions !== question.length) continue
    for (let chunk = 0; chunk < vectors.count; chunk++) {
      const similarity = product(vectors.numbers, chunk * vectors.dimensions, question)
      if (similarity >= least) found.push({ document, chunk, similarity })
    }
  }
  return found.toSorted((one, other) => other.similarity - one.similarity).slice(0, limit)
}

/** The cosine, because every vector is as long as 1. */
function product(numbers: Float32Array, from: number, question: Float32Array): number {
  let sum = 0
  for (let at = 0; at < question.length; at++) sum += (numbers[from + at] ?? 0) * (question[at] ?? 0)
  return sum
}
