// What a command writes: data on stdout, talk on stderr. Colours and line breaks are for a terminal; a pipe gets one line for each thing.
import { exactText } from './exact-json.ts'
import type { Surroundings } from './surroundings.ts'

const STYLES = { bold: 1, quiet: 2, red: 31, green: 32, yellow: 33, blue: 36 } as const
export type Style = keyof typeof STYLES
export type Paint = (style: Style, text: string) => string

export type Screen = {
  readonly isJson: boolean
  /** Whether a person reads the data, so that it may be arranged for the eye. */
  readonly isTerminal: boolean
  readonly width: number
  /** For the data. */
  readonly paint: Paint
  data(line: string): void
  /** The data of a command as one JSON value, where that was asked for. */
  json(value: unknown): void
  /** One of many: of a command that goes on, each is a line of JSON. */
  line(value: unknown): void
  say(line: string): void
  good(line: string): void
  bad(line: string): void
  warn(line: string): void
  /** Columns as wide as they need in a terminal, and tabs in a pipe. */
  table(rows: readonly (readonly string[])[]): void
}

const WIDEST = 100

export function openScreen({ env, stdout, stderr }: Surroundings, isJson: boolean): Screen {
  const isColoured = (stream: NodeJS.WriteStream) =>
    stream.isTTY === true && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb'
  const painting =
    (stream: NodeJS.WriteStream): Paint =>
    (style, text) =>
      isColoured(stream) ? `\u001b[${STYLES[style]}m${text}\u001b[0m` : text
  const [paint, talk] = [painting(stdout), painting(stderr)]
  const isTerminal = stdout.isTTY === true
  const width = Math.min(WIDEST, (isTerminal ? stdout.columns : stderr.columns) || 80)
  const say = (line: string) => void stderr.write(`${ours(stderr.isTTY === true ? wrap(line, width) : line)}\n`)
  const data = (line: string) => void stdout.write(`${ours(line)}\n`)
  return {
    isJson,
    isTerminal,
    width,
    paint,
    data,
    json: (value) => data(jsonText(value, isTerminal)),
    line: (value) => data(jsonText(value, false)),
    say,
    good: (line) => say(`${talk('green', '✔')} ${line}`),
    bad: (line) => say(`${talk('red', '✖')} ${line}`),
    warn: (line) => say(`${talk('yellow', '!')} ${line}`),
    table(rows) {
      for (const row of rows) data(isTerminal ? aligned(row, rows) : row.map(oneLine).join('\t'))
    },
  }
}

/**
 * What others wrote cannot steer a terminal, end a line of a pipe, or hide a part of itself: characters that nobody sees are shown by
 * their code. The joiners in emoji stay.
 */
export const plain = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(CONTROLS, '')
    .replace(PICTURE_OR_UNSEEN, (found) => (PICTURE.test(found) ? found : `[${codeOf(found)}]`))
const CONTROLS = /(?![\t\n])\p{Cc}/gu
const PICTURE = /\p{Extended_Pictographic}/u
const PICTURE_OR_UNSEEN =
  /\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)*|[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu
const codeOf = (sign: string): string => `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
export const oneLine = (text: string): string => plain(text).replace(/\s+/g, ' ').trim()

/** Whatever a command forgot to clean: of all that a terminal obeys, only our own styles are left. */
const ours = (line: string): string => line.replaceAll(STEERING, '')
const ESCAPE = String.fromCharCode(27)
const STEERING = new RegExp(
  `${ESCAPE}(?!\\[(?:0|1|2|3[1-6])m)|(?![\\t\\n${ESCAPE}])\\p{Cc}|[\\u202a-\\u202e\\u2066-\\u2069]`,
  'gu',
)

/** JSON in which every sign is seen, for whoever agrees to exactly that. */
export const seenJson = (value: unknown): string =>
  exactText(value, 2).replaceAll(UNSEEN, (sign) => sign.split('').map(escaped).join(''))
const UNSEEN = /[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?!\n)\p{Cc}/gu
const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** JSON leaves some controls as they are, and a terminal obeys them. Escaped they are the same JSON. */
export const jsonText = (value: unknown, isWide: boolean): string =>
  exactText(value, isWide ? 2 : undefined).replace(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, escaped)

const aligned = (row: readonly string[], rows: readonly (readonly string[])[]): string =>
  row
    .map((cell, at) => oneLine(cell).padEnd(Math.max(...rows.map((other) => oneLine(other[at] ?? '').length))))
    .join('  ')
    .trimEnd()

/** Breaks lines between words. What follows a first line begins where its own words do, unless said otherwise. */
export function wrap(text: string, width: number, indent = /^(?:\S )? */.exec(text)?.[0].length ?? 0): string {
  const lines: string[] = []
  for (const paragraph of text.split('\n')) {
    let line: string | undefined
    for (const word of paragraph.split(' ')) {
      const longer = line === undefined ? word : `${line} ${word}`
      if (line !== undefined && line.trim() !== '' && visible(longer) > width) {
        lines.push(line.trimEnd())
        line = ' '.repeat(indent) + word
      } else line = longer
    }
    lines.push(line ?? '')
  }
  return lines.join('\n')
}

/** Without its styles. */
const visible = (text: string): number => text.replace(/\p{Cc}\[\d+m/gu, '').length
