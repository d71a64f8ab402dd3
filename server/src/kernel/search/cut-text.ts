// Cuts a text into chunks at headings, then between paragraphs, then between sentences, then between words. The own parts of
// all chunks, one after the other, are the text. Characters are code points.
import { turnOf, type Work } from '../json/index.ts'
import { type Block, blocksOf, type TextFormat } from './blocks.ts'

export type Chunk = {
  /** The own part, in units of the text. */
  readonly from: number
  readonly to: number
  /** Where the chunk begins if it repeats the end of the one before, otherwise `from`. */
  readonly begins: number
  /** The path of headings above it. */
  readonly heading: string | null
}

type CutSize = { readonly chars: number; readonly overlap: number }

/** In units of text, to which each section adds some: a few milliseconds, and then others have their turn. */
const A_TURN = 60_000
const A_SECTION = 100

export function* cutText(text: string, format: TextFormat, size: CutSize): Work<Chunk[]> {
  const isEnough = turnOf(A_TURN)
  const chunks: Chunk[] = []
  let section: Block[] = []
  for (const block of yield* blocksOf(text, format)) {
    const last = section.at(-1)
    if (last !== undefined && last.section !== block.section) {
      for (const chunk of cutSection(text, section, size)) chunks.push(chunk)
      if (isEnough(last.to - (section[0]?.from ?? 0) + A_SECTION)) yield
      section = []
    }
    section.push(block)
  }
  for (const chunk of cutSection(text, section, size)) chunks.push(chunk)
  return chunks
}

/** A piece that is not cut, unless it alone is longer than a chunk. */
type Piece = { readonly from: number; readonly to: number; readonly chars: number }

function cutSection(text: string, blocks: readonly Block[], { chars, overlap }: CutSize): Chunk[] {
  const heading = blocks.at(-1)?.heading ?? null
  const pieces = blocks.flatMap((block) => piecesOf(text, block, chars))
  const chunks: Chunk[] = []
  const [first, ...rest] = pieces
  if (first === undefined) return []
  let own: Piece = first
  const close = () => {
    const before = chunks.at(-1)
    const room = Math.min(overlap, chars - own.chars)
    const begins = before === undefined ? own.from : overlapFrom(text, before.from, own.from, room)
    chunks.push({ from: own.from, to: own.to, begins, heading })
  }
  for (const piece of rest) {
    // The first chunk of a section repeats nothing, so all of it is its own.
    const most = chunks.length === 0 ? chars : chars - overlap
    if (own.chars + piece.chars <= most) {
      own = { from: own.from, to: piece.to, chars: own.chars + piece.chars }
    } else {
      close()
      own = piece
    }
  }
  close()
  return chunks
}

/** The finest cuts last: a block, its lines or sentences, their words, and then wherever a chunk is full. */
function piecesOf(text: string, { from, to, isLines }: Pick<Block, 'from' | 'to' | 'isLines'>, most: number): Piece[] {
  const whole = pieceOf(text, from, to)
  if (whole.chars <= most) return [whole]
  const parts = isLines ? splitAt(text, whole, LINE) : splitAt(text, whole, SENTENCE)
  return parts.flatMap((part) =>
    part.chars <= most
      ? [part]
      : splitAt(text, part, WORD).flatMap((word) => (word.chars <= most ? [word] : hardCuts(text, word, most))),
  )
}

const LINE = /\n+/gu
/** After the end of a sentence, and the spaces that follow it. Its signs are bounded, so that a row of them is read once. */
const SENTENCE = /(?:[.!?…。！？]{1,3}["'”’»)\]]{0,3}\s+|\n+)/gu
const WORD = /\s+/gu

const pieceOf = (text: string, from: number, to: number): Piece => ({ from, to, chars: charsIn(text, from, to) })

function splitAt(text: string, { from, to }: Piece, boundary: RegExp): Piece[] {
  const pieces: Piece[] = []
  let at = from
  for (const match of text.slice(from, to).matchAll(boundary)) {
    const end = from + match.index + match[0].length
    if (end <= at || end >= to) continue
    pieces.push(pieceOf(text, at, end))
    at = end
  }
  pieces.push(pieceOf(text, at, to))
  return pieces
}

function hardCuts(text: string, { from, to }: Piece, most: number): Piece[] {
  const pieces: Piece[] = []
  for (let at = from; at < to; ) {
    const end = Math.min(to, offsetAfter(text, at, most))
    pieces.push(pieceOf(text, at, end))
    at = end
  }
  return pieces
}

/** Counts code points. */
export function charsIn(text: string, from = 0, to = text.length): number {
  let count = to - from
  for (let at = from; at + 1 < to; at++) {
    if (isHigh(text.charCodeAt(at)) && isLow(text.charCodeAt(at + 1))) {
      count--
      at++
    }
  }
  return count
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff

function offsetAfter(text: string, from: number, chars: number): number {
  let at = from
  for (let left = chars; left > 0 && at < text.length; left--) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
  return at
}

/** Repeats at most `room` characters of the chunk before, from a sentence's or at least a word's beginning. */
function overlapFrom(text: string, least: number, end: number, room: number): number {
  let from = end
  for (let left = room; left > 0 && from > least; left--) {
    const isPair = from - 2 >= least && isLow(text.charCodeAt(from - 1)) && isHigh(text.charCodeAt(from - 2))
    from -= isPair ? 2 : 1
  }
  if (from === end || from === least) return from
  const tail = text.slice(from - 1, end)
  for (const boundary of [SENTENCE, WORD]) {
    const match = tail.matchAll(boundary).next().value
    const begins = match === undefined ? end : from - 1 + match.index + match[0].length
    if (begins < end) return begins
  }
  return end
}
