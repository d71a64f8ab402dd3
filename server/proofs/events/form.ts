// How much is run: a short form that CI can afford, and the full one (EVENTS=full) whose figures are published.
import { randomInt } from 'node:crypto'

const FORMS = {
  short: { lanes: 200, kills: 6, mutantLanes: 60, transitions: 300, rounds: 6, crowd: 10_000 },
  full: { lanes: 2_000, kills: 60, mutantLanes: 200, transitions: 10_000, rounds: 20, crowd: 100_000 },
}
const full = process.env.EVENTS === 'full'
export const form = FORMS[full ? 'full' : 'short']
export const seed = Number(process.env.EVENTS_SEED ?? randomInt(1, 2 ** 31))
export const timeout = full ? 1_200_000 : 180_000
export const PER_LANE = 4

/** One line of figures. */
export function say(test: string, figures: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify({ test, form: full ? 'full' : 'short', seed, ...figures })}\n`)
}

/** Short waits, so that a proof need not be long, and as many attempts as the weather may cost. */
export const QUICK: Readonly<Record<string, string>> = {
  'Events:FirstWaitSeconds': '0.1',
  'Events:LongestWaitSeconds': '0.8',
  'Events:MaxAttempts': '30',
  'Events:AnswerSeconds': '1.5',
}
