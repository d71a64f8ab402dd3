import * as contract from '@tether/contract'
import { z } from 'zod'
import { type Route, route, SECRET_ONLY } from '../../../tenancy/access/index.ts'
import { giveFeedback, readFeedback } from './feedback.ts'

const here = { lane: 'runtime', group: 'Chat', path: '/v1/chat/feedback' } as const
const wrongShape = 'invalid_feedback'

export const feedbackRoutes: readonly Route[] = [
  route({
    ...here,
    reach: { who: 'tenant', kinds: ['secret', 'publishable'] },
    method: 'POST',
    tokens: true,
    summary: 'Rate an answer',
    description: 'An answer has one rating; another one replaces it. Take `sessionId` and `requestId` from the answer.',
    body: contract.FeedbackRequest,
    bodyCodes: { sessionId: wrongShape, requestId: wrongShape, rating: wrongShape, comment: wrongShape },
    answers: { 200: { schema: contract.FeedbackRecorded } },
    errors: [wrongShape, 'session_not_found', 'feedback_in_flight', 'invalid_customer_token', 'invalid_upstream_token'],
    example: { body: { sessionId: 'ses_0123', requestId: 'req_0123', rating: 'up' } },
    handle: async (ctx, { body }) => ({ status: 200, body: await giveFeedback(ctx, body) }),
  }),
  route({
    ...here,
    reach: SECRET_ONLY,
    method: 'GET',
    summary: 'List the ratings, newest first',
    query: z.object({ rating: z.enum(['up', 'down']).optional(), limit: contract.Limit(200, 50) }),
    answers: { 200: { schema: contract.FeedbackList } },
    handle: async (ctx, { query }) => ({
      status: 200,
      body: await readFeedback(ctx, query.rating ?? null, contract.clampLimit(query.limit, 200, 50)),
    }),
  }),
]
