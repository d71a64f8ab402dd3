import { setImmediate } from 'node:timers/promises'
import { Parser } from 'htmlparser2'
import { piecesOf } from '../../../../kernel/text/index.ts'
import type { Listener } from './tag.ts'

// The parser moves its whole stack with every opening, so that nesting costs the square of its depth. The deepest of 317 real
// pages is at 35.
const DEEPEST = 256
const MOST_ATTRIBUTES = 256
/** Some milliseconds of reading, and then others have their turn. */
const PIECE = 65_536

/** Ends the reading where it is. What was read before it counts. */
export class Enough extends Error {}

export type WalkOptions = { readonly isXml?: boolean; readonly deepest?: number; readonly signal?: AbortSignal }

/** One pass over a document, in turns with other work. Whatever a stranger wrote, it ends, and it never throws for it. */
export async function walkPage(text: string, listeners: readonly Listener[], options: WalkOptions = {}): Promise<void> {
  const parser = openParser(listeners, options)
  try {
    for (const piece of piecesOf(text, PIECE)) {
      parser.write(piece)
      await setImmediate()
      if (options.signal?.aborted === true) return
    }
    parser.end()
  } catch (error) {
    if (!(error instanceof Enough)) throw error
  }
}

/** For what is a few kilobytes long. */
export function walkAtOnce(text: string, listeners: readonly Listener[], options: WalkOptions = {}): void {
  try {
    openParser(listeners, options).end(text)
  } catch (error) {
    if (!(error instanceof Enough)) throw error
  }
}

function openParser(listeners: readonly Listener[], { isXml = false, deepest = DEEPEST }: WalkOptions): Parser {
  const openers = listeners.filter((one) => one.open !== undefined)
  const closers = listeners.filter((one) => one.close !== undefined)
  const readers = listeners.filter((one) => one.text !== undefined)
  let [depth, attributes] = [0, 0]
  return new Parser(
    {
      onopentagname() {
        attributes = 0
        if (++depth > deepest) throw new Enough()
      },
      onattribute() {
        if (++attributes > MOST_ATTRIBUTES) throw new Enough()
      },
      onopentag(name, given) {
        const tag = { name, attributes: given }
        for (const one of openers) one.open?.(tag)
      },
      onclosetag(name) {
        depth--
        for (const one of closers) one.close?.(name)
      },
      ontext(text) {
        for (const one of readers) one.text?.(text)
      },
    },
    { xmlMode: isXml, decodeEntities: true },
  )
}
