import { z } from 'zod'
import { ANYONE, type Route, route } from '../../ground/access/index.ts'

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
