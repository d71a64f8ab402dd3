import { type Operation, type Reference, readReference } from '../rig/reference.ts'
import { type Outcome, openWire } from '../rig/wire.ts'
import { type Ask, assemble, type Cast } from './cast.ts'
import { openHarvest } from './harvest.ts'
import { type Finding, openJudge } from './judge.ts'
import { type Shot, shotOf } from './shot.ts'

export type Target = {
  readonly port: number
  readonly operatorKey: string
  readonly ask: Ask
  /** A tool endpoint that answers. */
  readonly endpoint: string
  /** What is resident now, in bytes. */
  readonly residentBytes: () => number
  readonly insides: readonly string[]
}

export type FuzzOptions = {
  readonly seed: number
  readonly requests: number
  readonly parallel: number
  readonly deadlineMs: number
  /** Only the operations of these paths; every one unless said. */
  readonly only?: (path: string) => boolean
}

/** One kind of fault at one operation: the first request that showed it, and how many did. */
export type Found = Finding & { readonly where: string; readonly shot: Shot; times: number }

export type FuzzReport = {
  readonly found: readonly Found[]
  /** How often each operation was asked, and how often it answered with a success. */
  readonly asked: ReadonlyMap<string, Tally>
  readonly memory: readonly number[]
  readonly slowest: readonly { shot: Shot; ms: number }[]
  readonly unanswered: number
  readonly renewals: number
}

export type Tally = { asked: number; past: number; succeeded: number; reachable: boolean }

const slowestKept = 5
// What the shots have done to a workspace (its catalog, its policy) stands in the way of the next ones after a while.
const freshEvery = 100
const memorySamples = 80

/** Asks the service what it serves, and then asks for it in every wrong way. */
export async function fuzz(target: Target, options: FuzzOptions): Promise<FuzzReport> {
  const reference = await readReference(target.port)
  const harvest = openHarvest()
  const { ask, operatorKey, endpoint } = target
  const cast = await assemble({ ask, operatorKey, endpoint, heard: harvest.gather })
  const operations = reference.operations.filter(({ path }) => options.only?.(path) ?? true)
  const armoury = { seed: options.seed, reference, operations, cast, harvest }
  const wire = openWire(target.port, options.deadlineMs)
  const judge = openJudge({ reference, insides: target.insides })
  const notes = openNotes(operations, cast, reference)
  const every = Math.max(1, Math.floor(options.requests / memorySamples))
  let next = 0
  const shoot = async () => {
    while (next < options.requests) {
      const shot = shotOf(armoury, next++)
      if (shot.index % every === 0) notes.memory.push(target.residentBytes())
      const outcome = await wire.send(shot.sending)
      notes.note(shot, outcome, judge(shot, outcome))
      for (const { body } of outcome.answers) harvest.gather(parsed(body))
      // One request that blocks the service would otherwise be told of by every one after it.
      if (outcome.end === 'late') await untilItAnswers(target)
      if (isDead(shot, outcome) || shot.index % freshEvery === 0)
        await cast.renew(shot.credential.slot, shot.credential.workspace)
    }
  }
  await Promise.all(Array.from({ length: options.parallel }, shoot))
  wire.close()
  return { ...notes, found: [...notes.found.values()], unanswered: notes.unanswered(), renewals: cast.renewals() }
}

const recoveryLimitMs = 300_000

async function untilItAnswers({ ask }: Target): Promise<void> {
  const limit = AbortSignal.timeout(recoveryLimitMs)
  const answered = ask('GET', '/health')
  await Promise.race([answered, new Promise((resolve) => limit.addEventListener('abort', resolve))])
}

/** A live key that is refused was revoked by an earlier shot, or its workspace was deleted. */
const isDead = ({ credential }: Shot, { answers }: Outcome): boolean =>
  credential.state === 'live' && credential.kind !== 'operator' && answers[0]?.status === 401

function parsed(body: Buffer): unknown {
  if (body.length > 20_000) return undefined
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

function openNotes(operations: readonly Operation[], { kinds }: Cast, { at }: Pick<Reference, 'at'>) {
  const found = new Map<string, Found>()
  const asked = new Map<string, Tally>()
  for (const { method, path, reach } of operations) {
    const reachable = reach.some((kind) => kind === 'anyone' || kinds.includes(kind))
    asked.set(`${method} ${path}`, { asked: 0, past: 0, succeeded: 0, reachable })
  }
  const slowest: { shot: Shot; ms: number }[] = []
  let unanswered = 0
  return {
    found,
    asked,
    slowest,
    memory: [] as number[],
    unanswered: () => unanswered,
    note(shot: Shot, outcome: Outcome, findings: readonly Finding[]) {
      const operation = at(shot.method, shot.address)
      const where = operation === undefined ? 'no operation' : `${operation.method} ${operation.path}`
      for (const finding of findings) {
        const name = [finding.rule, where, finding.detail.slice(0, 60).replace(/[0-9a-f]{4,}/g, '')].join(' ')
        const known = found.get(name)
        if (known === undefined) found.set(name, { ...finding, where, shot, times: 1 })
        else known.times++
      }
      slowest.push({ shot, ms: outcome.ms })
      slowest.sort((one, other) => other.ms - one.ms).splice(slowestKept)
      if (outcome.answers.length === 0) unanswered++
      const tally = asked.get(where)
      const status = outcome.answers[0]?.status
      if (tally === undefined || status === undefined) return
      tally.asked++
      if (![401, 403, 404, 405, 429].includes(status)) tally.past++
      if (status < 300) tally.succeeded++
    },
  }
}
