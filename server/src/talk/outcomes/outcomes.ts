import type { Context } from '../../tenancy/context/index.ts'
import { conversationCount, type Period, turnCounts, turnDays } from '../../tenancy/usage/index.ts'
import { eventCounts, eventDays } from '../../writes/audit/index.ts'
import { ratingCounts, ratingDays, unansweredQuestions } from '../chat/index.ts'

/** Whole days were counted as they went by; a part of one is counted now. */
const WHOLE_DAYS = { turns: turnDays, events: eventDays, ratings: ratingDays } as const
const PART_OF_A_DAY = { turns: turnCounts, events: eventCounts, ratings: ratingCounts } as const

type Counted = Awaited<ReturnType<typeof countedBy>>

async function countedBy(ctx: Context, period: Period, by: typeof WHOLE_DAYS | typeof PART_OF_A_DAY) {
  const { tenantId } = ctx.asking
  const [turns, events, ratings] = await Promise.all([
    by.turns(ctx, tenantId, period),
    by.events(ctx, tenantId, period),
    by.ratings(ctx, period),
  ])
  return { turns, events, ratings }
}

async function countDays(ctx: Context, period: Period, now: number): Promise<Counted> {
  const { whole, parts } = divided(period, now)
  const counted = await Promise.all([
    ...(whole === null ? [] : [countedBy(ctx, whole, WHOLE_DAYS)]),
    ...parts.map((part) => countedBy(ctx, part, PART_OF_A_DAY)),
  ])
  return {
    turns: counted.flatMap(({ turns }) => turns),
    events: counted.flatMap(({ events }) => events),
    ratings: counted.flatMap(({ ratings }) => ratings),
  }
}

const EVENTS = {
  proposals: 'proposed',
  executed: 'executed',
  verified: 'verified',
  unverified: 'unverified',
  rejected: 'rejected',
  expired: 'expired',
} as const

function totalsOf({ turns, events, ratings }: Counted, date: string) {
  const turn = turns.find((one) => one.date === date)
  const rating = ratings.find((one) => one.date === date)
  const today = events.filter((one) => one.date === date)
  const happened = (event: string) => today.find((one) => one.event === event)?.count ?? 0
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

type Totals = ReturnType<typeof totalsOf>

function daysOf(counted: Counted, { from, to }: Period): readonly (Totals & { readonly date: string })[] {
  const days: (Totals & { date: string })[] = []
  const first = Date.parse(`${from.toISOString().slice(0, 10)}T00:00Z`)
  for (let day = first; day < to.getTime(); day += DAY) {
    const date = new Date(day).toISOString().slice(0, 10)
    days.push({ date, ...totalsOf(counted, date) })
  }
  return days
}
const DAY = 86_400_000

/** A conversation of two days is one of the period, so these are counted apart, unless the turns are forgotten. */
function sumOf(days: readonly Totals[], conversations: number | null): Totals {
  const sum = (of: (day: Totals) => number) => days.reduce((all, day) => all + of(day), 0)
  return {
    conversations: conversations ?? sum((day) => day.conversations),
    turns: sum(({ turns }) => turns),
    answered: sum(({ answered }) => answered),
    handedOff: sum(({ handedOff }) => handedOff),
    proposals: sum(({ proposals }) => proposals),
    executed: sum(({ executed }) => executed),
    verified: sum(({ verified }) => verified),
    unverified: sum(({ unverified }) => unverified),
    rejected: sum(({ rejected }) => rejected),
    expired: sum(({ expired }) => expired),
    ratings: { up: sum(({ ratings }) => ratings.up), down: sum(({ ratings }) => ratings.down) },
  }
}

const isoPeriod = ({ from, to }: Period) => ({ from: from.toISOString(), to: to.toISOString() })

/** Reads the questions without an answer, the most asked first. */
export async function readUnanswered(ctx: Context, period: Period) {
  const questions = await unansweredQuestions(ctx, period)
  return questions.map(({ lastAskedAt, ...row }) => ({ ...row, lastAskedAt: lastAskedAt.toISOString() }))
}

const turnsAreKept = (turnDays: number, { from }: Period, now: number): boolean =>
  turnDays === 0 || from.getTime() >= now - turnDays * DAY

/** Reads what became of the assistant's conversations and proposals in a period. `now` is when it was asked for: a period that ends then holds the current day whole. */
export async function readOutcomes(ctx: Context, period: Period, now: number) {
  const { turnDays } = ctx.settings.ai.usage
  const [counted, conversations, unanswered] = await Promise.all([
    countDays(ctx, period, now),
    turnsAreKept(turnDays, period, now) ? conversationCount(ctx, ctx.asking.tenantId, period) : null,
    readUnanswered(ctx, period),
  ])
  return { ...isoPeriod(period), totals: { ...sumOf(daysOf(counted, period), conversations), unanswered } }
}

/** Reads the same for each UTC day of the period, including days on which nothing happened. */
export async function readDaily(ctx: Context, period: Period, now: number) {
  return { ...isoPeriod(period), days: daysOf(await countDays(ctx, period, now), period) }
}

/**
 * The UTC days that a period holds whole, and what it holds of others. Nothing has happened after now, so that a period which ends now
 * holds the current day whole.
 */
function divided({ from, to }: Period, now: number): { whole: Period | null; parts: readonly Period[] } {
  const [start, end] = [from.getTime() / DAY, to.getTime() / DAY]
  const first = Math.ceil(start)
  const last = to.getTime() >= now ? Math.ceil(end) : Math.floor(end)
  if (first > last) return { whole: null, parts: [{ from, to }] }
  const whole = { from: new Date(first * DAY), to: new Date(last * DAY) }
  const parts = [
    { from, to: whole.from },
    { from: whole.to, to },
  ]
  return { whole: first < last ? whole : null, parts: parts.filter((part) => part.from < part.to) }
}
