import type { Context } from '../../../ground/context/index.ts'
import type { Period } from '../../../ground/usage/index.ts'
import { countRatings, listUnanswered } from './queries.ts'

const MOST_QUESTIONS = 20

export const ratingCounts = ({ db, asking }: Context, { from, to }: Period) =>
  db.rows(countRatings, { tenantId: asking.tenantId, from, to })

/** Lists the questions that were asked most often without getting an answer. */
export const unansweredQuestions = ({ db, asking }: Context, { from, to }: Period) =>
  db.rows(listUnanswered, { tenantId: asking.tenantId, from, to, limit: MOST_QUESTIONS })
