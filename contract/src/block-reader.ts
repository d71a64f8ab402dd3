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

type State = {
  /** What has come of the present line. */
  line: string
  /** Nothing of the present line has been given out yet. */
  isHeld: boolean
  /** Inside a code block of another kind: what stands there is shown as it is. */
  inCode: boolean
  fence: { type: string; text: string; body: string } | undefined
  made: number
}

/**
 * Reads the text of a model as it streams. Words pass as they come; only a line that may open a `block:<type>` fence is
 * held, and what stands inside one. A fence that does not hold a valid block is shown as the text that it is.
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
      // A closing line without its line break is a closing line.
      if (state.line !== '' || state.fence !== undefined) endLine(state, out)
      giveUpFence(state, out)
      return out
    },
  }
}

/** One line, or the part of one that has come. */
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

/** It is no block: it is text. */
function giveUpFence(state: State, out: Read[]): void {
  if (state.fence !== undefined) say(out, state.fence.text)
  state.fence = undefined
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
