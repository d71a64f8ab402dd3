import * as contract from '@tether/contract'
import { ACTING, type Route, route, SECRET_ONLY } from '../../tenancy/access/index.ts'
import type { Trials } from './run-trials.ts'

export const trialRoutes = ({ trials }: { readonly trials: Trials }): readonly Route[] => [
  route({
    reach: SECRET_ONLY,
    lane: 'runtime',
    tokens: true,
    group: 'Tools',
    method: 'POST',
    path: '/v1/tools/trials',
    headers: ACTING,
    summary: 'Try the catalog on cases that say what should be chosen',
    description:
      'Plays each case as a turn of its own, with the configured model and without one. Reads answer the `results` of the case, writes stay proposals that nobody can confirm, and nothing reaches your endpoint. Models cost what they cost in a chat, under the same budgets; on the free plan a case is a turn. docs/trials.md has an example.',
    body: contract.TrialsRequest,
    answers: { 200: { schema: contract.TrialsAnswer } },
    errors: ['empty_prompt', 'plan_quota_exceeded', 'invalid_customer_token', 'invalid_upstream_token'],
    example: {
      body: {
        cases: [
          {
            prompt: 'Where is my order A-1001?',
            results: { get_order: { number: 'A-1001', state: 'shipped' } },
            expect: { tool: 'get_order', arguments: { number: 'A-1001' }, answerHas: 'shipped' },
          },
        ],
      },
    },
    handle: async (ctx, { body, head }) => ({ status: 200, body: await trials.run(ctx, body, head.signal) }),
  }),
]
