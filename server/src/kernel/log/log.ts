import { destination, pino } from 'pino'
import { type PlainFields, plainFields, plainText } from './plain.ts'
import { pretty } from './pretty.ts'
import { scrubWith } from './scrub.ts'

export type LogFields = { readonly [name: string]: unknown }

type WriteLine = (fields: LogFields, message: string) => void

/** Rooms write to the operator here. Log names and kinds, never a customer's data. */
export type Log = {
  readonly debug: WriteLine
  readonly info: WriteLine
  readonly warn: WriteLine
  readonly error: WriteLine
  /** The same log, with these fields in every line. */
  child(fields: LogFields): Log
}

type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

export type LogStream = { write(text: string): unknown; readonly isTTY?: boolean | undefined }

export type LogOptions = {
  readonly level: LogLevel
  /** `auto` is pretty on a terminal and JSON elsewhere. */
  readonly format: 'auto' | 'json' | 'pretty'
  /** Standard output by default. */
  readonly stream?: LogStream
  /** Only a terminal gets colours, even if this is true. */
  readonly colors?: boolean
  /** Exact values to mask wherever they appear, besides everything that looks like a secret. */
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
      // The fields are plain already. Pino's own serializer would bring back the other members of an error.
      serializers: { err: (value: unknown) => value },
    },
    { write: (line: string) => out.write(render(mask(line))) },
  )
}

/**
 * Writes synchronously, so that we do not lose the last lines of a dying process. A full disk must not stop the
 * service.
 */
function standardOutput(): LogStream {
  const out = destination({ fd: process.stdout.fd, sync: true })
  out.on('error', () => undefined)
  return out
}

function bind(logger: Logger, mask: (text: string) => string, bound: PlainFields): Log {
  const writer =
    (level: 'debug' | 'info' | 'warn' | 'error'): WriteLine =>
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

// A field named `level` or `msg` could pass for the line's own.
const RESERVED_NAMES: ReadonlySet<string> = new Set(['level', 'time', 'msg'])

function ownNames(fields: PlainFields): PlainFields {
  if (!Object.keys(fields).some((name) => RESERVED_NAMES.has(name))) return fields
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [RESERVED_NAMES.has(name) ? `${name}_` : name, value]),
  )
}
