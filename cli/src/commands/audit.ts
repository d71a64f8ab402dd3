import { type Command, EXIT, textFlag, UsageError } from '../command.ts'
import { counted } from './validate.ts'

export const audit: Command = {
  takes: 'verify',
  does: 'Verifies the chain of hashes of the trail.',
  options: {
    from: { type: 'string', does: 'the id of the first event; the default is the first there is' },
    to: { type: 'string', does: 'the id of the last one' },
  },
  async run({ words, flags, screen, service }) {
    if (words.join(' ') !== 'verify') throw new UsageError('Say `tether audit verify`.')
    const range = { from: numbered(flags, 'from'), to: numbered(flags, 'to') }
    const query = Object.fromEntries(Object.entries(range).filter(([, id]) => id !== undefined))
    const said = await service().request('GET /v1/audit/verify', { query })
    if (screen.isJson) screen.json(said)
    else if (said.ok) screen.data([said.lastId ?? '', said.lastHash ?? ''].join('\t'))
    if (said.ok) {
      const after = said.archived === undefined ? '' : ` after event ${said.archived.lastId}`
      screen.good(
        `${counted(said.events, 'event')}${after}, each as it was written. Keep the last id and its hash: later exports must still hold it.`,
      )
      if (after !== '')
        screen.say(
          `Events up to ${said.archived?.lastId} are archived: \`npm run audit:verify\` checks the files of whoever operates the service.`,
        )
      return EXIT.ok
    }
    screen.bad(`Event ${said.at} is not as it was written (${said.reason}). What stands before it is.`)
    return EXIT.no
  },
}

function numbered(flags: Parameters<typeof textFlag>[0]['flags'], name: string): number | undefined {
  const text = textFlag({ flags }, name)
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,15}$/.test(text))
    throw new UsageError(`--${name} must be the id of an event, a positive whole number.`)
  return Number(text)
}
