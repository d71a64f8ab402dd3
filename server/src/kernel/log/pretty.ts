import { member } from '../json/index.ts'

// Prints one record per line for a person at a terminal, `12:03:44 INFO  listening  address=http://…`, and an error's
// stack below it.

type Fields = { readonly [name: string]: unknown }
type Paint = (code: number, text: string) => string

const COLORS: { readonly [level: string]: number } = { debug: 90, info: 36, warn: 33, error: 31 }
const DIM = 2
const BARE_VALUE = /^[\w./:@+*-]+$/

/** Formats a finished JSON line. A line that is not a JSON object stays as it is. */
export function pretty(line: string, colors: boolean): string {
  const paint: Paint = colors ? (code, text) => `\u001b[${code}m${text}\u001b[0m` : (_, text) => text
  const record = parseFields(line)
  if (record === undefined) return `${visible(line.trimEnd())}\n`
  const { time, level, msg, ...rest } = record
  const fields = Object.entries(rest)
  const mark = paint(member(COLORS, String(level)) ?? 0, visible(String(level)).toUpperCase().padEnd(5))
  const head = [
    `${paint(DIM, clockTime(time))} ${mark}`,
    visible(String(msg ?? '')),
    ...fields.filter(([, value]) => !isError(value)).map(([name, value]) => pair(name, value, paint)),
  ]
  const errors = fields.flatMap(([name, value]) => (isError(value) ? errorLines(value, `${name}: `, 1) : []))
  return `${[head.join('  '), ...errors].join('\n')}\n`
}

const pair = (name: string, value: unknown, paint: Paint): string => `${paint(DIM, `${visible(name)}=`)}${shown(value)}`

function shown(value: unknown): string {
  const bare = typeof value === 'string' && BARE_VALUE.test(value)
  return visible(bare ? value : JSON.stringify(value))
}

type PrintedError = { readonly type: string; readonly message: string } & Fields

const isError = (value: unknown): value is PrintedError =>
  isFields(value) && typeof value.type === 'string' && typeof value.message === 'string' && 'stack' in value

function errorLines(error: PrintedError, label: string, depth: number): string[] {
  const indent = '    '.repeat(depth)
  const code = error.code === undefined ? '' : ` (${visible(String(error.code))})`
  const inner = Array.isArray(error.errors) ? error.errors : []
  return [
    `${indent}${label}${visible(error.type)}: ${visible(error.message)}${code}`,
    ...frames(error.stack).map((frame) => `${indent}    ${visible(frame)}`),
    ...(error.cause === undefined ? [] : causeLines(error.cause, 'caused by ', depth)),
    ...inner.flatMap((one) => causeLines(one, 'together with ', depth)),
  ]
}

const causeLines = (cause: unknown, label: string, depth: number): string[] =>
  isError(cause) ? errorLines(cause, label, depth) : [`${'    '.repeat(depth)}${label}${shown(cause)}`]

/** Keeps only the frames, because the message is printed above them already. */
const frames = (stack: unknown): string[] =>
  String(stack)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '))

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parseFields(line: string): Fields | undefined {
  try {
    const record: unknown = JSON.parse(line)
    return isFields(record) ? record : undefined
  } catch {
    return undefined
  }
}

function clockTime(time: unknown): string {
  const date = new Date(String(time))
  const two = (count: number) => String(count).padStart(2, '0')
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

/**
 * Spells out characters that move the cursor, change colours or reverse text, so that a stranger's words cannot do so.
 */
const visible = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`)
