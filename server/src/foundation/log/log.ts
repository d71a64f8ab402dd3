import { destination, pino } from 'pino'
import { type PlainFields, plainFields, plainText } from './plain.ts'
import { pretty } from './pretty.ts'
import { scrubWith } from './scrub.ts'

export type LogFields = { readonly [name: string]: unknown }

type Write = (fields: LogFields, message: string) => void

/** Where a room tells the operator something. Names and kinds belong in a log, a customer's data does not. */
export type Log = {
  readonly debug: Write
  readonly info: Write
  readonly warn: Write
  readonly error: Write
  /** The same log, with these fields in every line. */
  child(fields: LogFields): Log
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

export type LogStream = { write(text: string): unknown; readonly isTTY?: boolean | undefined }

export type LogOptions = {
  readonly level: LogLevel
  /** `auto` is pretty on a terminal and JSON elsewhere. */
  readonly format: 'auto' | 'json' | 'pretty'
  /** The standard output when absent. */
  readonly stream?: LogStream
  /** Colours are for a terminal only, whatever stands here. */
  readonly colors?: boolean
  /** Exact values to mask wherever they appear, beside everything that has the shape of a secret. */
  readonly secrets?: readonly string[]
  readonly now?: () => number
}

type Logger = ReturnType<typeof openLogger>

export function openLog(options: LogOptions): Log {
  const mask = scrubWith(options.secrets ?? [])
  return bind(openLogger(options, mask), mask, {})
}

function openLogger(
  { level, format, stream, colors = true, now = Date.now }: LogOptions,
  mask: (text: string) => string,
) {
  const onTerminal = stream === undefined ? process.stdout.isTTY === true : stream.isTTY === true
  const forPeople = format === 'pretty' || (format === 'auto' && onTerminal)
  const out = stream ?? standardOutput()
  const render = forPeople ? (line: string) => pretty(line, colors && onTerminal) : (line: string) => line
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date(now()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      // The fields arrive plain; pino's own view of errors would bring their other members back.
      serializers: { err: (value: unknown) => value },
    },
    { write: (line: string) => out.write(render(mask(line))) },
  )
}

/** Written at once, so that the last words of a dying process are not lost. A full disk must not stop the service. */
function standardOutput(): LogStream {
  const out = destination({ fd: process.stdout.fd, sync: true })
  out.on('error', () => undefined)
  return out
}

function bind(logger: Logger, mask: (text: string) => string, bound: PlainFields): Log {
  const writer =
    (level: 'debug' | 'info' | 'warn' | 'error'): Write =>
    (fields, message) => {
      if (!logger.isLevelEnabled(level)) return
      logger[level]({ ...bound, ...ownNames(plainFields(fields, mask)) }, plainText(message, mask))
    }
  return {
    debug: writer('debug'),
    info: writer('info'),
    warn: writer('warn'),
    error: writer('error'),
    child: (fields) => bind(logger, mask, { ...bound, ...ownNames(plainFields(fields, mask)) }),
  }
}

// A second `level` or `msg` in one line would let a field pass for what the line itself says.
const TAKEN: ReadonlySet<string> = new Set(['level', 'time', 'msg'])

function ownNames(fields: PlainFields): PlainFields {
  if (!Object.keys(fields).some((name) => TAKEN.has(name))) return fields
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [TAKEN.has(name) ? `${name}_` : name, value]))
}
