import type { FeedbackRequest } from '@tether/contract'
import type { z } from 'zod'
import { refuse } from '../../../kernel/http/index.ts'
import type { Context } from '../../../tenancy/context/index.ts'
import type { Period } from '../../../tenancy/usage/index.ts'
import { countRatings, findAnswer, listFeedback, listRatingDays, listUnanswered, rate } from './queries.ts'

/** Rates one answer. Only the owner of the conversation may, and a second rating replaces the first. */
export async function giveFeedback(ctx: Context, given: z.output<typeof FeedbackRequest>) {
  const { db, asking } = ctx
  const { sessionId, requestId, rating } = given
  const answer = await db.one(findAnswer, { tenantId: asking.tenantId, sessionId, requestId })
  const isTheirs = answer?.ownerKind !== 'customer' || answer.owner === asking.customer?.id
  if (answer === undefined || !isTheirs) {
    throw refuse(
      'session_not_found',
      'There is no such answer in a conversation of yours. Check `sessionId` and `requestId`.',
    )
  }
  const comment = given.comment?.trim() || null
  const customerId = asking.customer?.id ?? null
  const written = await db.one(rate, { tenantId: asking.tenantId, sessionId, requestId, rating, comment, customerId })
  if (written === undefined)
    throw refuse('feedback_in_flight', 'This answer is being rated right now. Send the rating again.')
  return { recorded: true as const, rating, replaced: written.replaced }
}

export async function readFeedback({ db, asking }: Context, rating: 'up' | 'down' | null, limit: number) {
  const rows = await db.rows(listFeedback, { tenantId: asking.tenantId, rating, limit })
  const feedback = rows.map(({ createdAt, updatedAt, ...row }) => ({
    ...row,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }))
  return { feedback, count: feedback.length }
}

const MOST_QUESTIONS = 20
/** So many of the latest are compared, so that a page about ninety days takes no longer than one about a day. */
const LATEST_QUESTIONS = 500

/** Ratings on each UTC day from one midnight to another, as they were counted. */
export const ratingDays = ({ db, asking }: Context, { from, to }: Period) =>
  db.rows(listRatingDays, { tenantId: asking.tenantId, from, to })

/** The same by looking at every rating, for a part of a day. */
export const ratingCounts = ({ db, asking }: Context, { from, to }: Period) =>
  db.rows(countRatings, { tenantId: asking.tenantId, from, to })

/** Lists the questions that were asked most often without getting an answer. */
export const unansweredQuestions = ({ db, asking }: Context, { from, to }: Period) =>
  db.rows(listUnanswered, {
    tenantId: asking.tenantId,
    from,
    to,
    latest: LATEST_QUESTIONS,
    limit: MOST_QUESTIONS,
  })
