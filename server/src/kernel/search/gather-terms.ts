import type { Work } from '../json/index.ts'

/** One channel of the index: where each term occurs, and how long each chunk is, counted in these terms. */
export type Channel = {
  /** Sorted. */
  readonly hashes: Uint32Array
  /** Where the postings of each hash begin; one more at the end. */
  readonly starts: Uint32Array
  readonly chunks: Uint16Array
  readonly counts: Uint8Array
  readonly lengths: Uint32Array
}

const FIRST = 256
/** Of occurrences, between two pauses: about a millisecond. */
const A_SLICE = 65_536
const DIGITS = 256

/**
 * Gathers the occurrences of terms, chunk by chunk, and sorts them once. A text of unlike words has as many terms as letters, so
 * there is nothing here that a term has for itself: neither an entry of a map nor an array.
 */
export function gatherTerms(chunks: number) {
  let [hashes, held, size] = [new Uint32Array(FIRST), new Uint16Array(FIRST), 0]
  const lengths = new Uint32Array(chunks)
  return {
    add(chunk: number, hash: number) {
      if (size === hashes.length) {
        const [before, heldBefore] = [hashes, held]
        hashes = new Uint32Array(2 * size)
        held = new Uint16Array(2 * size)
        hashes.set(before)
        held.set(heldBefore)
      }
      hashes[size] = hash
      held[size] = chunk
      size++
      lengths[chunk] = (lengths[chunk] ?? 0) + 1
    },
    *done(): Work<Channel> {
      const sorted = yield* byHash({ hashes: hashes.subarray(0, size), chunks: held.subarray(0, size) })
      return { ...(yield* counted(sorted)), lengths }
    },
  }
}

/** Each occurrence by itself: the hash of its term, and the chunk that it is in. */
type Occurrences = { readonly hashes: Uint32Array; readonly chunks: Uint16Array }

/** Sorts by one byte of the hash at a time, the last one first. Each pass keeps the order of equals, so chunks stay in theirs. */
function* byHash(occurrences: Occurrences): Work<Occurrences> {
  const { length } = occurrences.hashes
  let from = occurrences
  let to: Occurrences = { hashes: new Uint32Array(length), chunks: new Uint16Array(length) }
  for (let shift = 0; shift < 32; shift += 8) {
    const next = new Uint32Array(DIGITS + 1)
    const { hashes, chunks } = from
    for (let at = 0; at < length; at++) {
      const after = (((hashes[at] ?? 0) >>> shift) & 255) + 1
      next[after] = (next[after] ?? 0) + 1
      if (at % A_SLICE === A_SLICE - 1) yield
    }
    for (let digit = 1; digit < DIGITS; digit++) next[digit] = (next[digit] ?? 0) + (next[digit - 1] ?? 0)
    for (let at = 0; at < length; at++) {
      const hash = hashes[at] ?? 0
      const digit = (hash >>> shift) & 255
      const place = next[digit] ?? 0
      next[digit] = place + 1
      to.hashes[place] = hash
      to.chunks[place] = chunks[at] ?? 0
      if (at % A_SLICE === A_SLICE - 1) yield
    }
    ;[from, to] = [to, from]
  }
  return from
}

/** Puts the same term in the same chunk together. What is left is never more than was read, so it takes the place of that. */
function* counted({ hashes, chunks }: Occurrences): Work<Omit<Channel, 'lengths'>> {
  const { length } = hashes
  const [starts, counts] = [new Uint32Array(length + 1), new Uint8Array(length)]
  let [terms, postings] = [0, 0]
  for (let at = 0; at < length; at++) {
    const [hash, chunk] = [hashes[at] ?? 0, chunks[at] ?? 0]
    const isNewTerm = terms === 0 || hashes[terms - 1] !== hash
    if (isNewTerm) {
      hashes[terms] = hash
      starts[terms] = postings
      terms++
    }
    if (isNewTerm || chunks[postings - 1] !== chunk) {
      chunks[postings] = chunk
      counts[postings] = 1
      postings++
    } else counts[postings - 1] = Math.min(255, (counts[postings - 1] ?? 0) + 1)
    if (at % A_SLICE === A_SLICE - 1) yield
  }
  starts[terms] = postings
  return {
    hashes: hashes.subarray(0, terms),
    starts: starts.subarray(0, terms + 1),
    chunks: chunks.subarray(0, postings),
    counts: counts.subarray(0, postings),
  }
}
