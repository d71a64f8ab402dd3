import type { Schemas } from '../../../sdk/src/index.ts'
import { userOf } from '../acting.ts'
import { askPerson } from '../ask.ts'
import { type Command, EXIT, type Given, oneWord, UsageError } from '../command.ts'
import { oneLine, type Screen, seenJson, wrap } from '../screen.ts'

type Action = Schemas['ActionDetail']

export const approve: Command = {
  takes: '<actionId>',
  does: 'Shows a write that waits, and confirms exactly that.',
  options: {
    user: { type: 'string', does: 'who decides: their id in your own system, or TETHER_USER_ID' },
    yes: { type: 'boolean', does: 'does not ask; what is above low risk needs --acknowledge, too' },
    acknowledge: { type: 'boolean', does: 'acknowledges a risk above low' },
  },
  async run(given) {
    const { screen, service, flags } = given
    const actionId = oneWord(given, 'the id of the action')
    const userId = userOf(given)
    const action = await service().request('GET /v1/actions/{actionId}', { params: { actionId } })
    show(screen, action)
    const what = action.changed?.what
    if (what !== undefined) {
      screen.bad(REFUSED[what])
      return EXIT.no
    }
    if (!(await isAgreed(given, action))) {
      screen.say('Nothing was confirmed.')
      return EXIT.no
    }
    // What was just shown, and nothing else, can run.
    const said = await service().confirm(actionId, {
      userId,
      payloadHash: action.payloadHash,
      acknowledgeHighRisk: action.risk !== 'low' || flags.acknowledge === true,
    })
    if (screen.isJson) screen.json(said)
    else screen.data(said.status)
    return conclude(screen, said)
  },
}

/** What the service would answer to a confirm, before the person is asked. */
const REFUSED = {
  destination: 'It would go to another address than the one it was staged for. Amend it or stage it again.',
  hash_version: 'An earlier version of the service staged it. Amend it or stage it again.',
  request: 'Its tool would send another request. Stage it again.',
} satisfies Record<NonNullable<Action['changed']>['what'], string>

/** On stderr, because the data of this command is what became of it. */
function show(
  screen: Screen,
  { title, summary, arguments: given, risk, status, rationale, expiresAt, destination }: Action,
): void {
  screen.say(oneLine(summary))
  const lines: [string, string][] = [
    ['tool', title],
    ['risk', risk],
    ['state', status],
    ['until', expiresAt],
    ...(destination == null ? [] : [['goes to', destination] as [string, string]]),
    ...(rationale === null ? [] : [['why', rationale] as [string, string]]),
  ]
  const widest = Math.max(...lines.map(([name]) => name.length))
  for (const [name, value] of lines)
    screen.say(wrap(`  ${name.padEnd(widest)}  ${oneLine(value)}`, screen.width, widest + 4))
  // As they would be sent, and in quotes: whoever proposed them must not be able to write a line of ours.
  screen.say('  arguments')
  for (const line of seenJson(given).split('\n')) screen.say(`  ${line}`)
}

async function isAgreed({ flags, surroundings }: Given, { risk }: Action): Promise<boolean> {
  if (flags.yes === true) {
    if (risk !== 'low' && flags.acknowledge !== true)
      throw new UsageError(`The risk of this write is ${risk}. Add --acknowledge to confirm it.`)
    return true
  }
  const word = risk === 'low' ? 'yes' : risk
  const answer = await askPerson(surroundings, `Type “${word}” to confirm it: `)
  if (answer === null)
    throw new UsageError(
      `There is nobody to ask here. Add --yes${risk === 'low' ? '' : ' and --acknowledge'} to confirm without a question.`,
    )
  return answer.trim() === word
}

function conclude(
  screen: Screen,
  { status, errorMessage, approversRequired, approversReceived, verification }: Schemas['ConfirmAnswer'],
) {
  if (status === 'Executed' || status === 'Replayed') {
    const seen = verification === null ? '' : ` Looked at afterwards: ${verification.status}.`
    screen.good(`${status === 'Executed' ? 'Done.' : 'It was done before.'}${seen}`)
    return EXIT.ok
  }
  if (status === 'AwaitingApprovers') {
    screen.good(
      `Your yes is recorded: ${approversReceived ?? 1} of ${approversRequired ?? 'several'}. Somebody else must agree, too.`,
    )
    return EXIT.ok
  }
  screen.bad(`${status}. ${oneLine(errorMessage ?? '')}`.trim())
  return EXIT.no
}
