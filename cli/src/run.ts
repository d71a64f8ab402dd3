import { parseArgs } from 'node:util'
import { type Client, TetherError } from '../../sdk/src/index.ts'
import { type Command, EXIT, type Exit, type Flags, type Login, UsageError } from './command.ts'
import { approve } from './commands/approve.ts'
import { audit } from './commands/audit.ts'
import { call } from './commands/call.ts'
import { check } from './commands/check.ts'
import { dev } from './commands/dev.ts'
import { diff } from './commands/diff.ts'
import { importApi } from './commands/import.ts'
import { init } from './commands/init.ts'
import { keys } from './commands/keys.ts'
import { listen } from './commands/listen.ts'
import { login } from './commands/login.ts'
import { logs } from './commands/logs.ts'
import { pull } from './commands/pull.ts'
import { push } from './commands/push.ts'
import { stage } from './commands/stage.ts'
import { trials } from './commands/trials.ts'
import { trigger } from './commands/trigger.ts'
import { validate } from './commands/validate.ts'
import { findLogin, KEY_LIKE, open } from './key.ts'
import { oneLine, openScreen, type Screen } from './screen.ts'
import type { Surroundings } from './surroundings.ts'

export const VERSION = '1.0.0'

const COMMANDS: Readonly<Record<string, Command>> = {
  dev,
  init,
  login,
  validate,
  push,
  pull,
  diff,
  import: importApi,
  call,
  stage,
  approve,
  listen,
  trigger,
  logs,
  trials,
  check,
  audit,
  keys,
}

const EVERYWHERE = {
  json: { type: 'boolean', does: 'writes one JSON value to stdout' },
  help: { type: 'boolean', does: 'says this', short: 'h' },
} as const

/** Runs one command. It returns how the process ends, and nothing that it meets is thrown. */
export async function run(argv: readonly string[], surroundings: Surroundings): Promise<Exit> {
  const screen = openScreen(surroundings, argv.includes('--json'))
  const stop = new AbortController()
  let stays = false
  let url: string | undefined
  // A reader that has seen enough (`| head`) closes the pipe, which is no fault.
  surroundings.stdout.on('error', () => (stays ? stop.abort() : process.exit(EXIT.ok)))
  try {
    if (argv.some((word) => KEY_LIKE.test(word))) throw new UsageError(KEY_IN_WORDS)
    const [name, ...rest] = argv
    if (name === '--version') return version(screen)
    if (name === undefined || name === 'help' || name === '--help' || name === '-h') return help(screen, rest[0])
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
    if (command === undefined)
      throw new UsageError(`There is no command “${oneLine(name)}”. \`tether help\` lists them.`)
    const { words, flags } = parsed(command, rest)
    if (flags.help === true) return help(screen, name)
    stays = command.stays === true
    if (stays) endInOrder(surroundings, stop)
    let found: Login | undefined
    const login = () => {
      found ??= findLogin(surroundings.env)
      url = found.url
      return found
    }
    const clients = new Map<number | undefined, Client>()
    const service = (timeoutSeconds?: number) => {
      const client = clients.get(timeoutSeconds) ?? open(login(), timeoutSeconds)
      clients.set(timeoutSeconds, client)
      return client
    }
    return await command.run({ words, flags, screen, surroundings, service, login, stopping: stop.signal })
  } catch (error) {
    return failed(screen, error, url)
  }
}

/** Ctrl-C asks it to end; a second one does not ask. */
function endInOrder(surroundings: Surroundings, stop: AbortController): void {
  const hear = () => (stop.signal.aborted ? process.exit(EXIT_INTERRUPTED) : stop.abort())
  surroundings.on('SIGINT', hear)
  surroundings.on('SIGTERM', hear)
}
const EXIT_INTERRUPTED = 130

const KEY_IN_WORDS =
  'There is a key among the words of this command, where the shell’s history and other processes have it. Set TETHER_API_KEY, or run `tether login`. Replace that key.'

function version(screen: Screen): Exit {
  screen.data(VERSION)
  return EXIT.ok
}

function parsed({ options = {} }: Command, args: string[]): { words: string[]; flags: Flags } {
  try {
    const known = Object.fromEntries(
      Object.entries({ ...options, ...EVERYWHERE }).map(([name, { does: _, ...option }]) => [name, option]),
    )
    const { values, positionals } = parseArgs({ args, options: known, allowPositionals: true, strict: true })
    return { words: positionals, flags: values as Flags }
  } catch (error) {
    throw new UsageError(oneLine(error instanceof Error ? error.message : String(error)))
  }
}

function failed(screen: Screen, error: unknown, url: string | undefined): Exit {
  if (error instanceof UsageError) {
    screen.bad(error.message)
    return EXIT.usage
  }
  if (!(error instanceof TetherError)) {
    screen.bad(error instanceof Error ? oneLine(error.message) : String(error))
    return EXIT.usage
  }
  const { code, status, requestId, message } = error
  if (screen.isJson) screen.json({ error: { code, message, status, requestId } })
  screen.bad(oneLine(message))
  const quoted = requestId === null ? '' : `, request ${requestId}`
  if (status !== 0) screen.say(`  ${code}${quoted}`)
  else if (url !== undefined)
    screen.say(`  Is the service at ${url} running? \`tether dev\` starts one, and \`tether login\` names another.`)
  return status === 0 || status >= 500 ? EXIT.unreachable : EXIT.refused
}

function help(screen: Screen, name: string | undefined): Exit {
  const command = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (name !== undefined && command === undefined)
    throw new UsageError(`There is no command “${oneLine(name)}”. \`tether help\` lists them.`)
  if (command === undefined || name === undefined) helpOfAll(screen)
  else helpOf(screen, name, command)
  return EXIT.ok
}

function helpOfAll(screen: Screen): void {
  const { paint, width } = screen
  screen.data(`${paint('bold', 'tether')} <command> …\n`)
  for (const [name, { does }] of Object.entries(COMMANDS))
    screen.data(`  ${paint('blue', name.padEnd(10))}${beside(does, 12, width)}`)
  screen.data(
    `\n${beside('TETHER_BASE_URL and TETHER_API_KEY say where and as whom; `tether login` keeps them. `tether help <command>` says more of one.', 0, width)}`,
  )
}

function helpOf(screen: Screen, name: string, { takes, does, options = {} }: Command): void {
  const { paint, width } = screen
  screen.data(`${paint('bold', `tether ${name}`)} ${takes}\n`)
  screen.data(`${beside(does, 0, width)}\n`)
  const all: NonNullable<Command['options']> = { ...options, ...EVERYWHERE }
  for (const [flag, { type, does: what }] of Object.entries(all)) {
    const shown = `--${flag}${type === 'string' ? ' <…>' : ''}`
    screen.data(`  ${paint('blue', shown.padEnd(18))}${beside(what, 20, width)}`)
  }
}

/** Words in a column that begins there. */
function beside(text: string, column: number, width: number): string {
  const room = Math.max(20, width - column)
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + 1 + word.length > room) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines.join(`\n${' '.repeat(column)}`)
}
