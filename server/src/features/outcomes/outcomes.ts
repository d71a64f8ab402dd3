import { eventCounts } from '../../ground/audit/index.ts'
import type { Context } from '../../ground/context/index.ts'
import { type Period, turnCounts } from '../../ground/usage/index.ts'
import { ratingCounts, unansweredQuestions } from '../chat/index.ts'

const EVENTS = {
  proposals: 'proposed',
  executed: 'executed',
  verified: 'verified',
  unverified: 'unverified',
  rejected: 'rejected',
  expired: 'expired',
} as const

type PeriodCounts = Awaited<ReturnType<typeof countAll>>

async function countAll(ctx: Context, period: Period) {
  const { tenantId } = ctx.asking
  const [turns, events, ratings] = await Promise.all([
    turnCounts(ctx, tenantId, period),
    eventCounts(ctx, tenantId, period),
    ratingCounts(ctx, period),
  ])
  return { turns, events, ratings }
}

/** The totals of one day or, without a date, of the whole period. */
function totalsOf({ turns, events, ratings }: PeriodCounts, date: string | null) {
  const turn = turns.find((one) => one.date === date)
  const rating = ratings.find((one) => one.date === date)
  const happened = (event: string) => events.find((one) => one.date === date && one.event === event)?.count ?? 0
  return {
    conversations: turn?.conversations ?? 0,
    turns: turn?.turns ?? 0,
    answered: turn?.answered ?? 0,
    handedOff: turn?.handedOff ?? 0,
    proposals: happened(EVENTS.proposals),
    executed: happened(EVENTS.executed),
    verified: happened(EVENTS.verified),
    unverified: happened(EVENTS.unverified),
    rejected: happened(EVENTS.rejected),
    expired: happened(EVENTS.expired),
    ratings: { up: rating?.up ?? 0, down: rating?.down ?? 0 },
  }
}

const isoPeriod = ({ from, to }: Period) => ({ from: from.toISOString(), to: to.toISOString() })

/** Reads what became of the assistant's conversations and proposals in a period. */
export async function readOutcomes(ctx: Context, period: Period) {
  const [counted, questions] = await Promise.all([countAll(ctx, period), unansweredQuestions(ctx, period)])
  const unanswered = questions.map(({ lastAskedAt, ...row }) => ({ ...row, lastAskedAt: lastAskedAt.toISOString() }))
  return { ...isoPeriod(period), totals: { ...totalsOf(counted, null), unanswered } }
}

const DAY = 86_400_000

/** Reads the same for each UTC day of the period, including days on which nothing happened. */
export async function readDaily(ctx: Context, period: Period) {
  const counted = await countAll(ctx, period)
  const days: (ReturnType<typeof totalsOf> & { date: string })[] = []
  const first = Date.parse(`${period.from.toISOString().slice(0, 10)}T00:00Z`)
  for (let day = first; day < period.to.getTime(); day += DAY) {
    const date = new Date(day).toISOString().slice(0, 10)
    days.push({ date, ...totalsOf(counted, date) })
  }
  return { ...isoPeriod(period), days }
}
