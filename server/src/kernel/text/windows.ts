import { setImmediate } from 'node:timers/promises'
import { piecesOf } from './pieces.ts'

/** Units that are read before other requests get a turn: some 3 ms, whatever they are. */
const PIECE = 2_048
/** What of a piece is read again with the next one: longer than anything that the rules look for. */
const CARRIED = 512
/** Beside the edge of what is read a rule cannot see what comes next, and what it found may be half of something else. */
const EDGE = 32

type Window = { readonly text: string; readonly isFirst: boolean; readonly isLast: boolean }

/** The whole text as a reader sees it, in windows that overlap, with a turn for others between them. */
export async function* windowsOf(whole: string): AsyncGenerator<Window> {
  let [text, isFirst, isCut] = ['', true, false]
  for (const piece of piecesOf(whole, PIECE)) {
    if (isCut) {
      yield { text, isFirst, isLast: false }
      isFirst &&= text.length <= CARRIED
      text = text.slice(-CARRIED)
      await setImmediate()
    }
    text = blanks(text + bare(piece))
    isCut = true
  }
  yield { text, isFirst, isLast: true }
}

/** What stands at an edge is half read, and read whole in the window before or after. */
export const isInWindow = ({ text, isFirst, isLast }: Window, rule: RegExp): boolean =>
  text
    .matchAll(rule)
    .some(({ 0: found, index }) => (isFirst || index > 0) && (isLast || index + found.length < text.length - EDGE))

/** Without accents and zero-width characters. Marks go, so that it does not matter between which of them a piece was cut. */
const bare = (piece: string): string => piece.normalize('NFKD').replace(/[\p{M}\p{Cf}]+/gu, '')
const blanks = (text: string): string => text.replace(/[\s_-]+/g, ' ')
