import type { EgressFailure } from '../../kernel/egress/index.ts'

/** What may still come of a server, over all answers that share it. */
export type Room = { readonly what: string; readonly most: Held; left: Held }
type Held = { readonly bytes: number; readonly values: number }

export const roomFor = (what: string, most: Held): Room => ({ what, most, left: most })

type Metering = {
  readonly room: Room
  readonly deepest: number
  /** An answer as `text/event-stream` holds JSON in lines of its own. */
  readonly isStream: boolean
}
type Excess = {
  readonly kind: Extract<EgressFailure['kind'], 'too_large' | 'invalid_answer'>
  readonly message: string
}

/** Takes the bytes of an answer as they come, and says what is too much of it; null as long as nothing is. */
export type Meter = (bytes: Uint8Array) => Excess | null

const [LF, CR, QUOTE, COMMA, BACKSLASH] = [10, 13, 34, 44, 92]
const [LIST, LIST_END, OBJECT, OBJECT_END] = [91, 93, 123, 125]
const DATA = Buffer.from('data:')

/**
 * Bounds an answer before anything reads it, because whatever reads it takes many times its bytes, and much of that recurses. A
 * line ends every string, as in JSON none goes beyond one. In a stream only lines of data close what is open, so that no other
 * line hides how deep they go; and an empty line begins anew.
 */
export function meterOf({ room, deepest, isStream }: Metering): Meter {
  let [depth, column, before] = [0, 0, LF]
  let [isText, isEscaped, isData] = [false, false, true]
  const endLine = (byte: number): void => {
    if (byte === LF && before === CR) return
    if (isStream && column === 0) depth = 0
    column = 0
    isText = false
    isEscaped = false
    isData = true
  }
  return (bytes) => {
    let { values } = room.left
    room.left = { bytes: room.left.bytes - bytes.length, values }
    if (room.left.bytes < 0) return tooMuch(room, `${room.most.bytes} bytes`)
    for (const byte of bytes) {
      if (byte === LF || byte === CR) endLine(byte)
      else {
        if (isStream && column < DATA.length && byte !== DATA[column]) isData = false
        column++
        if (isText) {
          if (isEscaped) isEscaped = false
          else if (byte === BACKSLASH) isEscaped = true
          else if (byte === QUOTE) isText = false
        } else if (byte === QUOTE) isText = true
        else if (byte === COMMA) values--
        else if (byte === LIST || byte === OBJECT) {
          values--
          if (++depth > deepest) return { kind: 'invalid_answer', message: tooDeep(room, deepest) }
        } else if ((byte === LIST_END || byte === OBJECT_END) && isData && depth > 0) depth--
      }
      before = byte
    }
    room.left = { bytes: room.left.bytes, values }
    return values < 0 ? tooMuch(room, `${room.most.values} values`) : null
  }
}

const tooMuch = ({ what }: Room, most: string): Excess => ({
  kind: 'too_large',
  message: `${what} is more than ${most}, and was not read to its end. Let the server say less.`,
})

const tooDeep = ({ what }: Room, most: number): string =>
  `${what} is nested more than ${most} levels deep, so it was not read.`
