import { type Block, blockOf } from './blocks.ts'

/** A piece of the model's text: words to show at once, or a complete block. */
export type Read = { readonly type: 'text'; readonly text: string } | { readonly type: 'block'; readonly block: Block }

export type BlockReader = {
  /** Takes the next piece, which may be cut anywhere. */
  push(piece: string): Read[]
  /** Ends the text and returns what was held back. */
  end(): Read[]
}

const OPENING = '```block:'
const OPEN_LINE = /^ {0,3}```block:([a-z_]{1,40})[ \t]*\r?\n?$/
const CLOSE_LINE = /^ {0,3}```[ \t]*\r?\n?$/
const OTHER_FENCE = /^ {0,3}```/
const LONGEST_FENCE = 64 * 1024
const MOST_BLOCKS = 60

type State = {
  /** The current line so far. */
  line: string
  /** True while none of the current line has been returned. */
  isHeld: boolean
  /** True inside another kind of code block, whose text passes unchanged. */
  inCode: boolean
  fence: { type: string; text: string; body: string } | undefined
  made: number
}

/**
 * Reads a model's text as it streams. Words pass as they come. It holds back only a line that may open a `block:<type>`
 * fence, and the content of one. A fence without a valid block is shown as text.
 */
export function openBlockReader(): BlockReader {
  const state: State = { line: '', isHeld: true, inCode: false, fence: undefined, made: 0 }
  return {
    push(piece) {
      const out: Read[] = []
      for (let from = 0; from < piece.length; ) {
        const end = piece.indexOf('\n', from)
        const next = end < 0 ? piece.length : end + 1
        take(state, piece.slice(from, next), out)
        from = next
      }
      return out
    },
    end() {
      const out: Read[] = []
      // The last line may close a fence without a line break.
      if (state.line !== '' || state.fence !== undefined) endLine(state, out)
      giveUpFence(state, out)
      return out
    },
  }
}

/** Takes one line, or the part of one that has come. */
function take(state: State, part: string, out: Read[]): void {
  state.line += part
  if (part.endsWith('\n')) {
    if (state.fence === undefined && !state.isHeld) say(out, part)
    endLine(state, out)
    return
  }
  const { fence, line, isHeld } = state
  if (fence !== undefined) {
    if (fence.text.length + line.length <= LONGEST_FENCE) return
    giveUpFence(state, out)
    say(out, line)
    state.isHeld = false
    return
  }
  if (isHeld && mayOpen(line, state.inCode)) return
  say(out, isHeld ? line : part)
  state.isHeld = false
}

function endLine(state: State, out: Read[]): void {
  const whole = state.line
  state.line = ''
  if (state.fence !== undefined) {
    endFenceLine(state, whole, out)
    return
  }
  const opening = state.inCode || state.made >= MOST_BLOCKS ? null : OPEN_LINE.exec(whole)
  if (state.isHeld && opening !== null) {
    state.fence = { type: opening[1] ?? '', text: whole, body: '' }
    return
  }
  if (OTHER_FENCE.test(whole)) state.inCode = !state.inCode
  if (state.isHeld) say(out, whole)
  state.isHeld = true
}

function endFenceLine(state: State, whole: string, out: Read[]): void {
  const { fence } = state
  if (fence === undefined) return
  fence.text += whole
  if (CLOSE_LINE.test(whole)) {
    const block = blockOf(fence.type, fence.body)
    if (block === undefined) {
      giveUpFence(state, out)
      return
    }
    state.made++
    state.fence = undefined
    out.push({ type: 'block', block })
  } else if (fence.text.length > LONGEST_FENCE) giveUpFence(state, out)
  else fence.body += whole
}

/** Turns a fence that is not a block into text. */
function giveUpFence(state: State, out: Read[]): void {
  if (state.fence !== undefined) say(out, state.fence.text)
  state.fence = undefined
}

/** True if a line with this beginning may still open a block. */
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

/** Reads a whole text at once. */
export function readBlocks(text: string): Read[] {
  const reader = openBlockReader()
  return [...reader.push(text), ...reader.end()]
}
