// Several processes of the real service on one database, of which any may be killed at any moment and comes back at once.
import { type Answered, type Asked, type Service, startService } from '../rig/service.ts'
import { pause } from './wait.ts'

export type Fleet = {
  readonly seats: number
  /** Null when no answer came: nobody was there, or was killed before it answered. */
  ask(seat: number, method: string, path: string, asked?: Asked): Promise<Answered | null>
  /** Asks one after the other until somebody answers something else than "not now". */
  insist(seat: number, method: string, path: string, asked?: Asked): Promise<Answered>
  pidOf(seat: number): number
  living(): number
  /** kill -9. Answers as soon as it is dead; it comes back by itself. */
  strike(seat: number): Promise<void>
  /** Until everybody is back. */
  whole(): Promise<void>
  readonly figures: Figures
  /** How many ended without having been killed. */
  endedAlone(): number
  close(): Promise<void>
}

export type Figures = {
  kills: number
  answers: number
  /** Requests that ended without an answer. */
  unanswered: number
  /** Requests that had no end within the longest wait. */
  hung: number
  /** What was answered with 500. */
  faults: string[]
}

export type FleetOptions = {
  readonly seats: number
  /** `Section:Name` to text, or the name of a variable without a colon. */
  readonly settings: Readonly<Record<string, string>>
  readonly directory: string
  /** Whether what was killed is started again; it is, where nothing is said. */
  readonly comesBack?: boolean
}

const LONGEST_ANSWER_MS = 30_000
const INSIST_MS = 90_000

export async function openFleet({ seats, settings, directory, comesBack = true }: FleetOptions): Promise<Fleet> {
  const start = () => startService({ directory, settings })
  const services: (Service | undefined)[] = await Promise.all(Array.from({ length: seats }, start))
  const figures: Figures = { kills: 0, answers: 0, unanswered: 0, hung: 0, faults: [] }
  const returning = new Set<Promise<void>>()
  let closing = false

  const ask = async (seat: number, method: string, path: string, asked?: Asked): Promise<Answered | null> => {
    const service = services[seat % seats]
    if (service === undefined) return null
    const answer = await bounded(service.ask(method, path, asked))
    if (answer === 'late') figures.hung++
    if (answer === 'lost' || answer === 'late') {
      figures.unanswered++
      return null
    }
    figures.answers++
    if (answer.status === 500) figures.faults.push(`${method} ${path}: ${answer.text}`)
    return answer
  }

  const comeBack = async (seat: number): Promise<void> => {
    const service = await start()
    if (closing) await service.kill()
    else services[seat] = service
  }

  return {
    seats,
    ask,
    async insist(seat, method, path, asked) {
      const until = Date.now() + INSIST_MS
      for (let turn = seat; Date.now() < until; turn++) {
        const answer = await ask(turn, method, path, asked)
        if (answer !== null && answer.status < 500 && answer.status !== 429) return answer
        await pause(20)
      }
      throw new Error(`Nobody answered ${method} ${path} within ${INSIST_MS / 1000} s.`)
    },
    pidOf: (seat) => services[seat]?.pid ?? 0,
    living: () => services.filter((service) => service !== undefined).length,
    async strike(seat) {
      const service = services[seat]
      if (service === undefined) return
      services[seat] = undefined
      figures.kills++
      await service.kill()
      if (!comesBack) return
      const back = comeBack(seat).finally(() => returning.delete(back))
      returning.add(back)
    },
    async whole() {
      await Promise.all(returning)
    },
    figures,
    endedAlone: () => services.filter((service) => service !== undefined && !isAlive(service.pid)).length,
    async close() {
      closing = true
      await Promise.allSettled(returning)
      await Promise.all(services.map((service) => service?.kill()))
    },
  }
}

async function bounded(answer: Promise<Answered>): Promise<Answered | 'lost' | 'late'> {
  const late = Promise.withResolvers<'late'>()
  const timer = setTimeout(() => late.resolve('late'), LONGEST_ANSWER_MS)
  return await Promise.race([answer.catch(() => 'lost' as const), late.promise]).finally(() => clearTimeout(timer))
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
