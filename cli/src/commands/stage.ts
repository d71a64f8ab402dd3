import type { Schemas } from '../../../sdk/src/index.ts'
import { ACTING_OPTIONS, acting } from '../acting.ts'
import { toolAndArguments } from '../arguments.ts'
import { type Command, EXIT, type Exit, type Given, textFlag } from '../command.ts'
import { oneLine } from '../screen.ts'

export const stage: Command = {
  takes: '<tool> [name=text | name:=json …| -]',
  does: 'Proposes a write, and writes the id of the action that now waits for a person.',
  options: {
    ...ACTING_OPTIONS,
    rationale: { type: 'string', does: 'why, for whoever decides' },
    key: { type: 'string', does: 'an idempotency key: the same one twice stages one action' },
  },
  async run(given) {
    const { tool, given: args } = toolAndArguments(given)
    const rationale = textFlag(given, 'rationale')
    const idempotencyKey = textFlag(given, 'key')
    const staged = await given.service().stage(tool, args, {
      headers: acting(given),
      ...(rationale === undefined ? {} : { rationale }),
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    })
    if (staged.status === 'preview') return showStaged(given, staged)
    if (given.screen.isJson) given.screen.json(staged)
    const why = oneLine(staged.message).replace(/ ?Nothing was staged\.$/, '')
    given.screen.bad(`Nothing was staged (${staged.status}). ${why}`.trimEnd())
    return EXIT.no
  },
}

/** Without the token that would confirm it: what a command writes ends up in logs. `tether approve` needs none. */
export function showStaged({ screen }: Pick<Given, 'screen'>, staged: Schemas['StageAnswer']): Exit {
  const { actionId, toolName, summary, expiresAt } = staged
  if (screen.isJson) screen.json({ status: 'preview', actionId, toolName, summary, expiresAt })
  else screen.data(actionId)
  screen.good(`${oneLine(summary)} waits for a person until ${expiresAt}. Nothing has been changed yet.`)
  return EXIT.ok
}
