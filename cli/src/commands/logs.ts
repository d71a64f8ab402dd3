import { type Command, EXIT, type Given, textFlag, UsageError } from '../command.ts'
import { type Entry, openAccountLog, openAuditLog, openCallLog, type Source } from '../log-sources.ts'
import { pause } from '../pause.ts'
import { oneLine, wrap } from '../screen.ts'

const SOURCES = { audit: openAuditLog, calls: openCallLog, account: openAccountLog } as const
type Name = keyof typeof SOURCES

const LOOK_EVERY_MS = 2_000
const UNITS = { s: 1, m: 60, h: 3600, d: 86_400 } as const

export const logs: Command = {
  takes: '[audit | calls | account]',
  stays: true,
  does: 'What happened last: the trail of writes, the calls of tools, and the events of the account.',
  options: {
    since: { type: 'string', does: 'how far back: 30s, 15m, 24h (the default) or 7d' },
    limit: { type: 'string', does: 'the most lines to begin with; 50 unless set' },
    follow: { type: 'boolean', does: 'goes on until Ctrl-C', short: 'f' },
  },
  async run(given) {
    const { flags, service, stopping } = given
    const since = new Date(Date.now() - secondsOf(textFlag(given, 'since') ?? '24h') * 1000)
    const limit = limitOf(textFlag(given, 'limit') ?? '50')
    const sources = namesOf(given).map((name) => SOURCES[name](service(), { since, limit }))
    show(given, (await newOf(sources)).slice(-limit))
    while (flags.follow === true && !stopping.aborted) {
      await pause(LOOK_EVERY_MS, stopping)
      if (!stopping.aborted) show(given, await newOf(sources))
    }
    return EXIT.ok
  },
}

function namesOf({ words }: Pick<Given, 'words'>): readonly Name[] {
  const [word, more] = words
  if (more !== undefined) throw new UsageError(`“${more}” is one word too many.`)
  if (word === undefined) return Object.keys(SOURCES) as Name[]
  if (!Object.hasOwn(SOURCES, word))
    throw new UsageError('Say `tether logs`, or one of audit, calls and account with it.')
  return [word as Name]
}

function secondsOf(text: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (count === undefined) throw new UsageError('--since is a time such as 30s, 15m, 24h or 7d.')
  return Number(count) * UNITS[unit as keyof typeof UNITS]
}

function limitOf(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new UsageError('--limit must be a whole number from 1 to 99999.')
  return Number(text)
}

async function newOf(sources: readonly Source[]): Promise<Entry[]> {
  const entries = (await Promise.all(sources.map((source) => source()))).flat()
  return entries.sort((one, other) => one.at.localeCompare(other.at))
}

function show({ screen }: Given, entries: readonly Entry[]): void {
  const { paint, isTerminal, width } = screen
  for (const { at, kind, what, about, detail, raw } of entries) {
    if (screen.isJson) screen.line({ at, kind, ...raw })
    else if (!isTerminal) screen.table([[at, kind, what, about, detail]])
    else {
      const isWide = width > 90
      const words = [
        isWide ? `${at.slice(5, 10)} ${at.slice(11, 19)}` : at.slice(11, 19),
        paint('blue', kind.padEnd(7)),
        paint('bold', oneLine(what).padEnd(isWide ? 12 : 0)),
        oneLine(about),
        paint('quiet', oneLine(detail)),
      ]
      screen.data(wrap(words.join('  ').trimEnd(), width, isWide ? 25 : 10))
    }
  }
}
