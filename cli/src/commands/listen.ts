import { type Command, EXIT, type Exit, type Given, UsageError } from '../command.ts'
import { type Answered, type Delivered, forward } from '../listen/forward.ts'
import { type HowItEnded, listenOnLine } from '../listen/line.ts'
import { missedEvents, sendAgain } from '../listen/missed.ts'
import { move, putBack, wiresToMove } from '../listen/wires.ts'
import { pause } from '../pause.ts'
import { openProgress } from '../progress.ts'
import { oneLine } from '../screen.ts'
import { counted } from './validate.ts'

const TARGET = 'http://127.0.0.1:3000/tools'

export const listen: Command = {
  takes: '[address]',
  stays: true,
  does: `Hands the calls and events of the workspace to a server on this machine (${TARGET}), and prints each. Ends with Ctrl-C.`,
  options: {
    events: { type: 'boolean', does: 'the events alone: calls go where they went' },
    replace: {
      type: 'boolean',
      does: 'also where an endpoint or a webhook is set, which is put back at the end',
    },
  },
  async run(given) {
    const { flags, screen, service: open, login } = given
    const target = targetOf(given)
    const service = open()
    const { tenantId, name } = await service.request('GET /v1/account')
    const address = `${login().url}/v1/listening/${tenantId}/deliveries`
    const wires = await wiresToMove(service, {
      target,
      eventsOnly: flags.events === true,
      replace: flags.replace === true,
    })
    screen.say(`Listening for ${oneLine(name)}: what comes is handed to ${target}. Stop with Ctrl-C.`)
    return await hear(given, { target, address, wires })
  },
}

function targetOf({ words }: Pick<Given, 'words'>): string {
  const [word = TARGET, more] = words
  if (more !== undefined) throw new UsageError(`Name one address; “${more}” is one too many.`)
  const text = /^\d+$/.test(word) ? `http://127.0.0.1:${word}/tools` : word
  if (!/^https?:\/\/[^/\s]+(?:\/\S*)?$/.test(text))
    throw new UsageError(`“${word}” is not an address. Name a port, or all of it, such as ${TARGET}.`)
  return text
}

type Heard = {
  readonly target: string
  readonly address: string
  readonly wires: Awaited<ReturnType<typeof wiresToMove>>
}

async function hear(given: Given, heard: Heard): Promise<Exit> {
  const { screen, stopping } = given
  const { target, address, wires } = heard
  let count = 0
  let moved: Promise<void> | undefined
  const begin = async () => {
    await move(given.service(), wires, address)
    await repeatMissed(given, address)
  }
  const ending = endingWith(stopping)
  let ended: HowItEnded | undefined
  try {
    ended = await listenOnLine({
      service: given.service(),
      stopping: ending.signal,
      async handle(delivered) {
        const started = performance.now()
        const answered = await forward(target, delivered)
        count += 1
        show(given, delivered, answered, Math.round(performance.now() - started))
        return answered
      },
      connected() {
        // Nothing is moved before somebody listens.
        if (moved !== undefined) screen.good('The service answers again.')
        moved = moved === undefined ? begin() : moved.then(() => afterOutage(given, address))
        moved.catch((error: unknown) => ending.abort(error))
      },
      lost: () => screen.warn('The service does not answer. Trying again; what comes meanwhile waits there.'),
    })
    // The address was refused, say, and nothing will come.
    if (ending.signal.aborted && !stopping.aborted) throw ending.signal.reason
    if (ended === 'displaced') screen.bad('Another `tether listen` of this workspace has taken over.')
    return ended === 'displaced' ? EXIT.no : EXIT.ok
  } finally {
    // Whoever has taken over listens at the same address.
    const isBack = ended !== 'displaced' && (await putBackOrSay(given, heard))
    screen.say(`${counted(count, 'request')} came.${isBack ? ' Calls and events go where they went before.' : ''}`)
  }
}

function endingWith(signal: AbortSignal): AbortController {
  const ending = new AbortController()
  signal.addEventListener('abort', () => ending.abort())
  return ending
}

async function putBackOrSay({ service, screen }: Given, { address, wires }: Heard): Promise<boolean> {
  try {
    await putBack(service(), wires, address)
    return true
  } catch {
    screen.warn(
      'The service does not answer, so the workspace still sends to this listener. Start and stop `tether listen` once more to clear that.',
    )
    return false
  }
}

/** What is given up just as the line is back shows a little later. */
const SETTLED_MS = 15_000

async function afterOutage(given: Given, address: string): Promise<void> {
  try {
    await repeatMissed(given, address)
    await pause(SETTLED_MS, given.stopping)
    if (!given.stopping.aborted) await repeatMissed(given, address)
  } catch {
    // The line is lost again, and comes back here when it is found.
  }
}

async function repeatMissed({ service, screen, stopping, surroundings }: Given, address: string): Promise<void> {
  const missed = await missedEvents(service(), address)
  if (missed.length === 0) return
  screen.say(
    `${counted(missed.length, 'event')} came while nobody listened, and ${missed.length === 1 ? 'is' : 'are'} sent again.`,
  )
  const progress = openProgress(surroundings)
  const told = (sent: number) => progress.now(`sent again: ${sent} of ${missed.length}`)
  await sendAgain(service(), missed, { stopping, told })
  progress.clear()
}

type Envelope = {
  readonly type?: string
  readonly event?: string
  readonly tool?: string | null
  readonly mode?: string
  readonly request_id?: string
  readonly action_id?: string | null
}

function show({ screen }: Given, { headers, body }: Delivered, { status }: Answered, durationMs: number): void {
  const { type, event, tool, mode, request_id: requestId = '', action_id: actionId } = envelopeIn(body)
  const kind = type === 'event' ? 'event' : type === 'tool_call' ? (mode === 'execute' ? 'write' : 'read') : 'test'
  const name = type === 'event' ? (event ?? '') : (tool ?? '')
  const at = new Date().toISOString()
  const attempt = Number(headers['x-service-delivery-attempt'] ?? 1)
  if (screen.isJson) {
    screen.line({
      at,
      kind,
      name,
      tool: tool ?? null,
      requestId,
      actionId: actionId ?? null,
      attempt,
      status,
      durationMs,
    })
    return
  }
  if (!screen.isTerminal) {
    screen.table([
      [at, kind, name, tool ?? '', actionId ?? requestId, String(attempt), String(status), String(durationMs)],
    ])
    return
  }
  const { paint, width } = screen
  const took = `${paint(status < 300 ? 'green' : 'red', String(status))}  ${durationMs} ms${attempt > 1 ? `, attempt ${attempt}` : ''}`
  const isWide = width > 90
  const what = isWide && type === 'event' && tool ? `${name} ${tool}` : name
  const id = isWide ? `  ${paint('quiet', oneLine(actionId ?? requestId))}` : ''
  screen.data(
    `${at.slice(11, 19)}  ${paint('blue', kind.padEnd(5))}  ${oneLine(what).padEnd(isWide ? 40 : 26)}  ${took}${id}`,
  )
}

function envelopeIn(body: string): Envelope {
  try {
    return (JSON.parse(body) ?? {}) as Envelope
  } catch {
    return {}
  }
}
