import { z } from 'zod'
import { answers } from '../../foundation/db/index.ts'
import { ANYONE, type Route, route } from '../../ground/access/index.ts'
import type { House } from '../../ground/context/index.ts'

/** Says only that the process is up, because an outage of the database must not restart every instance. */
export const healthRoutes: readonly Route[] = [
  route({
    reach: ANYONE,
    lane: 'none',
    group: 'Health',
    method: 'GET',
    path: '/health',
    summary: 'The process is up',
    answers: { 200: { schema: z.object({ status: z.literal('ok') }).meta({ id: 'Health' }) } },
    handle: async () => ({ status: 200, body: { status: 'ok' } }),
  }),
]

/** The figures that an operator looks at first. */
export function watchHealth({ db, clock, metrics }: Pick<House, 'db' | 'clock' | 'metrics'>): void {
  const startedAt = clock.now()
  metrics.gauge('tether_database_up', 'Whether the database answers: 1 or 0', async () => Number(await answers(db)))
  metrics.gauge('tether_started_seconds', 'When this process was ready, in Unix seconds', () => startedAt / 1000)
}
