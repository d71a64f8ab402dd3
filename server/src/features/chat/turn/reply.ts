import { type Block, type ChatFrame, openBlockReader, type Read } from '@tether/contract'

// What a model may say in one turn. More is cut off: a model that never ends must not fill the memory of the process.
const MOST_CHARACTERS = 200_000

/** Gathers what the model says: frames for whoever reads along, blocks for the answer. */
export type Reply = {
  /** The frames that this piece of text makes. */
  take(piece: string): ChatFrame[]
  /** A round ended: what was held back is text, and the next round's words begin on a line of their own. */
  endRound(): ChatFrame[]
  /** A block of the service's own. */
  add(block: Block): ChatFrame
  readonly blocks: readonly Block[]
  /** The model's own words, fences and all. */
  readonly said: string
}

export function openReply(isPreview: () => boolean): Reply {
  const blocks: Block[] = []
  let reader = openBlockReader()
  let said = ''
  // The text block that is being written, which ends where a block begins.
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
  const frameOf = (read: Read): ChatFrame => {
    if (read.type === 'block') return add(read.block)
    const text = wantsBreak && words.trim() !== '' ? `\n\n${read.text}` : read.text
    wantsBreak = false
    words += text
    return { type: 'delta', text }
  }
  return {
    take(piece) {
      const room = MOST_CHARACTERS - said.length
      if (room <= 0) return []
      const kept = piece.length > room ? piece.slice(0, room) : piece
      said += kept
      return reader.push(kept).map(frameOf)
    },
    endRound() {
      const frames = reader.end().map(frameOf)
      reader = openBlockReader()
      wantsBreak = true
      return frames
    },
    add,
    get blocks() {
      const open = words.trim() === '' ? [] : [{ type: 'text' as const, markdown: words.trim() }]
      return [...blocks, ...open]
    },
    get said() {
      return said
    },
  }
}
