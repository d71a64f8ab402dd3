import { parseArgs } from 'node:util'
import { type Client, TetherError } from '../../sdk/src/index.ts'
import { type Command, EXIT, type Exit, type Flags, UsageError } from './command.ts'
import { approve } from './commands/approve.ts'
import { audit } from './commands/audit.ts'
import { call } from './commands/call.ts'
import { check } from './commands/check.ts'
import { diff } from './commands/diff.ts'
import { keys } from './commands/keys.ts'
import { login } from './commands/login.ts'
import { pull } from './commands/pull.ts'
import { push } from './commands/push.ts'
import { stage } from './commands/stage.ts'
import { validate } from './commands/validate.ts'
import { findLogin, KEY_LIKE, open } from './key.ts'
import { oneLine, openScreen, type Screen } from './screen.ts'
import type { Surroundings } from './surroundings.ts'

export const VERSION = '1.0.0'

const COMMANDS: Readonly<Record<string, Command>> = {
  login,
  validate,
  diff,
  push,
  pull,
  call,
  stage,
  approve,
  keys,
  audit,
  check,
}

const EVERYWHERE = {
  json: { type: 'boolean', does: 'writes one JSON value to stdout' },
  help: { type: 'boolean', does: 'says this', short: 'h' },
} as const

/** Runs one command. It returns how the process ends, and nothing that it meets is thrown. */
export async function run(argv: readonly string[], surroundings: Surroundings): Promise<Exit> {
  const screen = openScreen(surroundings, argv.includes('--json'))
  // A reader that has seen enough (`| head`) closes the pipe, which is no fault.
  surroundings.stdout.on('error', () => process.exit(EXIT.ok))
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
    let client: Client | undefined
    const service = () => (client ??= open(findLogin(surroundings.env)))
    return await command.run({ words, flags, screen, surroundings, service })
  } catch (error) {
    return failed(screen, error)
  }
}

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

function failed(screen: Screen, error: unknown): Exit {
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
