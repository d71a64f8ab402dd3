// Several processes of the real service on one database, of which any may be killed at any moment and comes back at once.
import { type Answered, type Asked, type Service, startService } from '../rig/running-service.ts'
import { pause } from './wait.ts'

export type Fleet = {
  readonly seats: number
  /** Null when no answer came: nobody was there, or was killed before it answered. */
  ask(seat: number, method: string, path: string, asked?: Asked): Promise<Answered | null>
  /** Asks one after the other until somebody answers something else than "not now". */
  insist(seat: number, method: string, path: string, asked?: Asked): Promise<Answered>
  pidOf(seat: number): number
  /** Undefined while nobody is there. */
  portOf(seat: number): number | undefined
  living(): number
  /** kill -9. Answers as soon as it is dead; it comes back by itself. */
  strike(seat: number): Promise<void>
  /** Asks it to stop, for good, and answers its exit code. */
  stop(seat: number): Promise<number | null>
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
  /** Each request that was answered with 500, with the error that the service logged for it. */
  faults: string[]
}

export type FleetOptions = {
  readonly seats: number
  /** `Section:Name` to text, or the name of a variable without a colon. */
  readonly settings: Readonly<Record<string, string>>
  readonly directory: string
  /** Whether what was killed is started again; it is, where nothing is said. */
  readonly comesBack?: boolean
  /** How long an answer may take before nobody believes in it any more. */
  readonly patienceMs?: number | undefined
}

const LONGEST_ANSWER_MS = 30_000
const INSIST_MS = 90_000
const MOST_STARTS = 10

export async function openFleet(options: FleetOptions): Promise<Fleet> {
  const { seats, settings, directory, comesBack = true, patienceMs = LONGEST_ANSWER_MS } = options
  const start = () => startService({ directory, settings })
  const services: (Service | undefined)[] = await startAll(seats, start)
  const figures: Figures = { kills: 0, answers: 0, unanswered: 0, hung: 0, faults: [] }
  const returning = new Set<Promise<void>>()
  let closing = false

  const ask = async (seat: number, method: string, path: string, asked?: Asked): Promise<Answered | null> => {
    const service = services[seat % seats]
    if (service === undefined) return null
    const answer = await bounded(service.ask(method, path, asked), patienceMs)
    if (answer === 'late') figures.hung++
    if (answer === 'lost' || answer === 'late') {
      figures.unanswered++
      return null
    }
    figures.answers++
    if (answer.status === 500)
      figures.faults.push(`${method} ${path}: ${answer.text}\n${await loggedError(service, answer.text)}`)
    return answer
  }

  const comeBack = async (seat: number): Promise<void> => {
    const service = await startAnyhow(start)
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
    portOf: (seat) => services[seat]?.port,
    living: () => services.filter((service) => service !== undefined).length,
    async strike(seat) {
      const service = takeFrom(services, seat)
      if (service === undefined) return
      figures.kills++
      await service.kill()
      if (!comesBack) return
      const back = comeBack(seat).finally(() => returning.delete(back))
      // Who waits until everybody is back hears of it.
      back.catch(() => undefined)
      returning.add(back)
    },
    stop: async (seat) => (await takeFrom(services, seat)?.stop()) ?? null,
    async whole() {
      await Promise.all(returning)
      if (services.includes(undefined)) throw new Error('A process that was killed did not come up again.')
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

/** The line that the service logs before it answers. It may arrive after the answer, because it takes another way. */
async function loggedError(service: Service, answer: string): Promise<string> {
  const id = /err_[\w-]+/.exec(answer)?.[0] ?? 'no error id'
  await pause(100)
  return (
    service
      .output()
      .split('\n')
      .find((line) => line.includes(id)) ?? `Nothing was logged for ${id}.`
  )
}

/** Nobody asks it any more. */
function takeFrom(services: (Service | undefined)[], seat: number): Service | undefined {
  const service = services[seat]
  services[seat] = undefined
  return service
}

/** All of them, or none. */
async function startAll(seats: number, start: () => Promise<Service>): Promise<Service[]> {
  const started = await Promise.allSettled(Array.from({ length: seats }, start))
  const services = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failed = started.find((one) => one.status === 'rejected')
  if (failed === undefined) return services
  await Promise.all(services.map((service) => service.kill()))
  throw failed.reason
}

/** A start may meet a database that is away, and says so and ends: whoever runs services starts them again. */
async function startAnyhow(start: () => Promise<Service>): Promise<Service> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start()
    } catch (error) {
      if (attempt === MOST_STARTS) throw error
      await pause(500)
    }
  }
}

async function bounded(answer: Promise<Answered>, withinMs: number): Promise<Answered | 'lost' | 'late'> {
  const late = Promise.withResolvers<'late'>()
  const timer = setTimeout(() => late.resolve('late'), withinMs)
  return await Promise.race([answer.catch(() => 'lost' as const), late.promise]).finally(() => clearTimeout(timer))
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
