import { z } from 'zod'
import { answers } from '../../foundation/db/index.ts'
import { ANYONE, type Route, route } from '../../ground/access/index.ts'
import type { House } from '../../ground/context/index.ts'

/** Says that the process is up and nothing more: a database that is away must not get every instance restarted. */
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

/** What an operator looks at first: the figures of the process itself, from the moment when it is ready. */
export function watchHealth({ db, clock, metrics }: Pick<House, 'db' | 'clock' | 'metrics'>): void {
  const startedAt = clock.now()
  metrics.gauge('tether_database_up', 'Whether the database answers: 1 or 0', async () => Number(await answers(db)))
  metrics.gauge('tether_started_seconds', 'When this process was ready, in Unix seconds', () => startedAt / 1000)
}
