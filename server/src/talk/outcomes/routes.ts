import * as contract from '@tether/contract'
import { type Route, route, SECRET_ONLY } from '../../tenancy/access/index.ts'
import { periodOf } from '../../tenancy/usage/index.ts'
import { readDaily, readOutcomes } from './outcomes.ts'

const here = {
  reach: SECRET_ONLY,
  lane: 'control',
  group: 'Outcomes',
  method: 'GET',
  query: contract.OutcomesQuery,
  errors: ['invalid_period'],
} as const

export const outcomeRoutes: readonly Route[] = [
  route({
    ...here,
    path: '/v1/outcomes',
    summary: 'Read what became of conversations and proposals',
    answers: { 200: { schema: contract.Outcomes } },
    handle: async (ctx, { query }) => {
      const now = ctx.clock.now()
      return { status: 200, body: await readOutcomes(ctx, periodOf(query, now), now) }
    },
  }),
  route({
    ...here,
    path: '/v1/outcomes/daily',
    summary: 'Read the same for each day',
    answers: { 200: { schema: contract.OutcomesDaily } },
    handle: async (ctx, { query }) => {
      const now = ctx.clock.now()
      return { status: 200, body: await readDaily(ctx, periodOf(query, now), now) }
    },
  }),
]
