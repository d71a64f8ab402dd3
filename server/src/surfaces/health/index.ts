import { z } from 'zod'
import { inTime } from '../../foundation/clock/index.ts'
import { answers } from '../../foundation/db/index.ts'
import type { Answer } from '../../foundation/http/index.ts'
import { ANYONE, type Part, type Route, route } from '../../ground/access/index.ts'
import type { House } from '../../ground/context/index.ts'
import type { ReadinessRoom } from './readiness.ts'

export { openReadiness, type ReadinessRoom } from './readiness.ts'

const Health = z.object({ status: z.literal('ok') }).meta({ id: 'Health' })

const Checks = z.object({
  database: z.boolean().meta({ description: 'The database answers' }),
  schema: z.boolean().meta({ description: 'Its schema has every migration of this build' }),
  keys: z.boolean().meta({ description: 'The encryption key opens what is stored' }),
  accepting: z.boolean().meta({ description: 'The process is not stopping' }),
})

const Ready = z
  .object({
    status: z.enum(['ready', 'not_ready']),
    checks: Checks.meta({ description: 'Of several databases, what holds for at least one of them' }),
  })
  .meta({ id: 'Ready' })

type Ready = z.output<typeof Ready>

/**
 * An instance of which one database is away still serves the tenants of the others. Which one it is, and how many there are, the
 * figures tell the operator: anybody may ask here.
 */
function readyOfAll(parts: readonly Part[]): Answer {
  // True because each part is this route's own answer.
  const seen = parts.map(({ answer }) => (answer.body as Ready).checks)
  const some = (name: keyof Ready['checks']) => seen.some((checks) => checks[name])
  const isReady = seen.some((checks) => Object.values(checks).every((holds) => holds))
  const checks = {
    database: some('database'),
    schema: some('schema'),
    keys: some('keys'),
    accepting: some('accepting'),
  }
  const body: Ready = { status: isReady ? 'ready' : 'not_ready', checks }
  return { status: isReady ? 200 : 503, body }
}

/** `/health` says only that the process is up, because an outage of the database must not restart every instance. */
export const healthRoutes = (readiness: ReadinessRoom): readonly Route[] => [
  route({
    reach: ANYONE,
    whose: 'nobody',
    lane: 'none',
    group: 'Health',
    method: 'GET',
    path: '/health',
    summary: 'The process is up',
    answers: { 200: { schema: Health } },
    handle: async () => ({ status: 200, body: { status: 'ok' } }),
  }),
  route({
    reach: ANYONE,
    whose: { sum: readyOfAll, evenAway: true },
    lane: 'none',
    group: 'Health',
    method: 'GET',
    path: '/ready',
    summary: 'Whether a balancer should send requests to this instance',
    answers: { 200: { schema: Ready }, 503: { schema: Ready, description: 'Something that requests need is missing' } },
    async handle() {
      const checks = await readiness.look()
      const isReady = Object.values(checks).every((holds) => holds)
      return { status: isReady ? 200 : 503, body: { status: isReady ? 'ready' : 'not_ready', checks } }
    },
  }),
]

/** Less than a figure may take, so that a database that owes its answer counts as one that is away. */
const PATIENCE_MS = 2_000

/** The figures that an operator looks at first. */
export function watchHealth({ db, clock, metrics }: Pick<House, 'db' | 'clock' | 'metrics'>): void {
  const startedAt = clock.now()
  metrics.gauge('tether_database_up', 'Whether the database answers: 1 or 0', async () =>
    Number((await inTime(PATIENCE_MS, answers(db))) ?? false),
  )
  metrics.gauge('tether_started_seconds', 'When this process was ready, in Unix seconds', () => startedAt / 1000)
}
