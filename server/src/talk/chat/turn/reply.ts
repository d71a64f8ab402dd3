import { type Block, type ChatFrame, openBlockReader, type Read } from '@tether/contract'
import { type Marks, withoutMarks } from '../../../kernel/model/index.ts'

// The most that a model may say in one turn. We cut off the rest, so that an endless model does not fill the memory.
const MOST_CHARACTERS = 200_000

/** Collects what the model says, as frames for a caller that reads along and as blocks for the answer. */
export type Reply = {
  /** Takes a piece of text and returns the frames that it makes. */
  take(piece: string): ChatFrame[]
  /** Ends a round: text that was held back comes out, and the next round's words begin on a new line. */
  endRound(): ChatFrame[]
  /** Adds a block of the service's own. */
  add(block: Block): ChatFrame
  readonly blocks: readonly Block[]
  /** The model's own words, including fences and without its marks. */
  readonly ownWords: string
}

/** `marks` are asked for with the first words, because the texts that a model may mark are found after the reply is opened. */
export function openReply(isPreview: () => boolean, marks: () => Marks): Reply {
  const blocks: Block[] = []
  let reader = openBlockReader()
  let said = ''
  // The current text block, which ends where another block begins.
  let words = ''
  let wantsBreak = false

  const closeWords = () => {
    if (words.trim() !== '') blocks.push({ type: 'text', markdown: words.trim() })
    words = ''
  }
  const add = (block: Block): ChatFrame => {
    closeWords()
    const shown = isPreview() ? { ...block, preview: true as const } : block
    blocks.push(shown)
    return { type: 'block', index: blocks.length - 1, block: shown }
  }
  const say = (shown: string): ChatFrame[] => {
    if (shown === '') return []
    const text = wantsBreak && words.trim() !== '' ? `\n\n${shown}` : shown
    wantsBreak = false
    words += text
    return [{ type: 'delta', text }]
  }
  const framesOf = (read: Read): ChatFrame[] => {
    if (read.type === 'text') return say(marks().take(read.text))
    const before = say(marks().end())
    return read.block.type === 'text' ? [...before, ...paragraph(read.block.markdown)] : [...before, add(read.block)]
  }
  /** A text block is words of the model like any others: they stream, and their marks are taken out. */
  const paragraph = (markdown: string): ChatFrame[] => {
    wantsBreak = true
    const frames = [...say(marks().take(markdown)), ...say(marks().end())]
    wantsBreak = true
    return frames
  }
  return {
    take(piece) {
      const room = MOST_CHARACTERS - said.length
      if (room <= 0) return []
      const kept = piece.length > room ? piece.slice(0, room) : piece
      said += kept
      return reader.push(kept).flatMap(framesOf)
    },
    endRound() {
      const frames = [...reader.end().flatMap(framesOf), ...say(marks().end())]
      reader = openBlockReader()
      wantsBreak = true
      return frames
    },
    add,
    get blocks() {
      const open = words.trim() === '' ? [] : [{ type: 'text' as const, markdown: words.trim() }]
      return [...blocks, ...open]
    },
    get ownWords() {
      return withoutMarks(said)
    },
  }
}
