import { z } from 'zod'
import { inTime } from '../../kernel/clock/index.ts'
import { answers } from '../../kernel/db/index.ts'
import { ANYONE, type Route, route } from '../../tenancy/access/index.ts'
import type { House } from '../../tenancy/context/index.ts'
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
    checks: Checks,
  })
  .meta({ id: 'Ready' })

/** `/health` says only that the process is up, because an outage of the database must not restart every instance. */
export const healthRoutes = (readiness: ReadinessRoom): readonly Route[] => [
  route({
    reach: ANYONE,
    lane: 'none',
    isProbe: true,
    group: 'Health',
    method: 'GET',
    path: '/health',
    onFrontPage: { order: 7, en: 'Whether the service is up', ka: 'მუშაობს თუ არა სერვისი' },
    summary: 'The process is up',
    answers: { 200: { schema: Health } },
    handle: async () => ({ status: 200, body: { status: 'ok' } }),
  }),
  route({
    reach: ANYONE,
    lane: 'none',
    isProbe: true,
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
