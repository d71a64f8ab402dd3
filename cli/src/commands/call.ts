import { ACTING_OPTIONS, acting } from '../acting.ts'
import { toolAndArguments } from '../arguments.ts'
import { type Command, EXIT } from '../command.ts'
import { oneLine } from '../screen.ts'
import { showStaged } from './stage.ts'

export const call: Command = {
  takes: '<tool> [name=text | name:=json …| -]',
  does: 'Calls a read, and writes its result. A write is staged instead, and waits for a person.',
  options: ACTING_OPTIONS,
  async run(given) {
    const { screen, service } = given
    const { tool, given: args } = toolAndArguments(given)
    const said = await service().request('POST /v1/tools/{name}/call', {
      params: { name: tool },
      headers: acting(given),
      body: { arguments: args },
    })
    if (!('result' in said)) return showStaged(given, said)
    const { status, result, message, notice, durationMs } = said
    if (screen.isJson) screen.json(said)
    else if (result !== null) screen.json(result)
    if (notice !== undefined) screen.warn(oneLine(notice))
    if (status === 'ok') {
      screen.good(`${tool} answered in ${durationMs} ms.`)
      return EXIT.ok
    }
    screen.bad(`${tool}: ${status}.${message === undefined ? '' : ` ${oneLine(message)}`}`)
    return EXIT.no
  },
}
