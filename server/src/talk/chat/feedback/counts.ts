import type { Context } from '../../../tenancy/context/index.ts'
import type { Period } from '../../../tenancy/usage/index.ts'
import { countRatings, listRatingDays, listUnanswered } from './queries.ts'

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
