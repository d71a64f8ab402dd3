import { ACTING_OPTIONS, acting } from '../acting.ts'
import { type Command, EXIT, UsageError } from '../command.ts'
import { oneLine } from '../screen.ts'

export const trigger: Command = {
  takes: '',
  does: 'Sends one signed test event (test.ping) to where the events of the workspace go, and says what was answered.',
  options: { scope: ACTING_OPTIONS.scope },
  async run({ words, flags, screen, service, surroundings }) {
    if (words.length > 0) throw new UsageError('There is one test event, test.ping: say `tether trigger`.')
    const said = await service().request('POST /v1/events/test', { headers: acting({ flags, surroundings }) })
    const { delivered, statusCode, error, url, durationMs } = said.delivery
    if (screen.isJson) screen.json(said)
    else
      screen.table([
        [delivered ? 'delivered' : 'failed', String(statusCode ?? ''), oneLine(url ?? ''), String(durationMs)],
      ])
    if (delivered) {
      screen.good(`test.ping was taken by ${oneLine(url ?? '')} in ${durationMs} ms.`)
      return EXIT.ok
    }
    screen.bad(`test.ping was not taken: ${oneLine(error ?? '')}`)
    if (url === null) screen.say('  `tether listen` brings events to this machine.')
    const answer = oneLine(said.answer?.body ?? '')
    if (answer !== '') screen.say(`  ${answer.slice(0, 500)}`)
    return EXIT.no
  },
}
