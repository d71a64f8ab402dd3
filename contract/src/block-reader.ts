import { type Block, blockOf } from './blocks.ts'

/** What a piece of the model's text turned out to be: words to show at once, or a block that is complete. */
export type Read = { readonly type: 'text'; readonly text: string } | { readonly type: 'block'; readonly block: Block }

export type BlockReader = {
  /** Takes the next piece, cut anywhere. */
  push(piece: string): Read[]
  /** Nothing more comes: what was held back is given out. */
  end(): Read[]
}

const OPENING = '```block:'
const OPEN_LINE = /^ {0,3}```block:([a-z_]{1,40})[ \t]*\r?\n?$/
const CLOSE_LINE = /^ {0,3}```[ \t]*\r?\n?$/
const OTHER_FENCE = /^ {0,3}```/
const LONGEST_FENCE = 64 * 1024
const MOST_BLOCKS = 60

/**
 * Reads the text of a model as it streams. Words pass as they come; only a line that may open a `block:<type>` fence is
 * held, and what stands inside one. A fence that does not hold a valid block is shown as the text that it is.
 */
export function openBlockReader(): BlockReader {
  let line = ''
  let isHeld = true
  let inCode = false
  let fence: { type: string; text: string; body: string } | undefined
  let made = 0

  function endLine(out: Read[]): void {
    const whole = line
    line = ''
    if (fence !== undefined) return endFenceLine(whole, out)
    const opening = inCode || made >= MOST_BLOCKS ? null : OPEN_LINE.exec(whole)
    if (isHeld && opening !== null) {
      fence = { type: opening[1] ?? '', text: whole, body: '' }
      return
    }
    if (OTHER_FENCE.test(whole)) inCode = !inCode
    if (isHeld) say(out, whole)
    isHeld = true
  }

  function endFenceLine(whole: string, out: Read[]): void {
    if (fence === undefined) return
    fence.text += whole
    if (CLOSE_LINE.test(whole)) {
      const block = blockOf(fence.type, fence.body)
      if (block !== undefined) made++
      if (block === undefined) say(out, fence.text)
      else out.push({ type: 'block', block })
      fence = undefined
    } else if (fence.text.length > LONGEST_FENCE) {
      say(out, fence.text)
      fence = undefined
    } else fence.body += whole
  }

  /** One line, or the part of one that has come. */
  function take(part: string, out: Read[]): void {
    line += part
    if (part.endsWith('\n')) {
      const shown = fence === undefined && !isHeld
      if (shown) say(out, part)
      return endLine(out)
    }
    if (fence !== undefined) {
      if (fence.text.length + line.length > LONGEST_FENCE) {
        say(out, fence.text + line)
        fence = undefined
        isHeld = false
      }
      return
    }
    if (!isHeld) return say(out, part)
    if (mayOpen(line, inCode)) return
    isHeld = false
    say(out, line)
  }

  return {
    push(piece) {
      const out: Read[] = []
      for (let from = 0; from < piece.length; ) {
        const end = piece.indexOf('\n', from)
        const next = end < 0 ? piece.length : end + 1
        take(piece.slice(from, next), out)
        from = next
      }
      return out
    },
    end() {
      const out: Read[] = []
      // A closing line without its line break is a closing line.
      if (line !== '' || fence !== undefined) endLine(out)
      if (fence !== undefined) say(out, fence.text)
      fence = undefined
      return out
    },
  }
}

/** Whether a line that begins so may still become the opening of a block. */
function mayOpen(begun: string, inCode: boolean): boolean {
  const text = begun.replace(/^ {0,3}/, '')
  if (inCode) return '```'.startsWith(text)
  return text.length <= OPENING.length ? OPENING.startsWith(text) : text.startsWith(OPENING) && text.length < 80
}

function say(out: Read[], text: string): void {
  if (text === '') return
  const last = out.at(-1)
  if (last?.type === 'text') out[out.length - 1] = { type: 'text', text: last.text + text }
  else out.push({ type: 'text', text })
}

/** A whole text at once. */
export function readBlocks(text: string): Read[] {
  const reader = openBlockReader()
  return [...reader.push(text), ...reader.end()]
}
