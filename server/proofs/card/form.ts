// How much is run: a short form that CI can afford, and the full one (CARD=full) whose figures are published.
import { randomInt } from 'node:crypto'

const FORMS = {
  short: {
    r1: { actions: 600, kills: 10 },
    r2: { actions: 160, kills: 2, cuts: 3 },
    embedded: { actions: 100, kills: 3 },
    r5: 2,
    r7: 40,
    r8: 200,
    r15: 10,
    r17: 24,
    r18: 96,
    r19: { actions: 100, kills: 2 },
  },
  full: {
    r1: { actions: 10_000, kills: 200 },
    r2: { actions: 1_500, kills: 20, cuts: 12 },
    embedded: { actions: 600, kills: 20 },
    r5: 20,
    r7: 1_000,
    r8: 4_000,
    r15: 200,
    r17: 32,
    r18: 2_000,
    r19: { actions: 10_000, kills: 100 },
  },
}

const full = process.env.CARD === 'full'
export const form = FORMS[full ? 'full' : 'short']
/** CARD_PARTS runs only some of it, on a machine that has other things to do. */
const parts = (process.env.CARD_PARTS ?? 'storms,single,embedded,slack').split(',')
export const runs = (part: 'storms' | 'single' | 'embedded' | 'slack'): boolean => parts.includes(part)
/** CARD_SEED repeats the choices of a run; the moments of the machine are its own. */
export const seed = Number(process.env.CARD_SEED ?? randomInt(1, 2 ** 31))
/** For one proof. Those that hold several get the time of four, so that a busy machine does not cut off the last of them. */
export const timeout = full ? 3_600_000 : 240_000
export const timeoutOfMany = 4 * timeout

/** In the storms: short, so that much of it runs out. */
export const STORM_TIMEOUT_S = 0.5
export const STORM_LEASE_S = 1.5
/** Elsewhere: long enough for a busy machine, because there an answer that came must have been heard. */
export const CALM_TIMEOUT_S = 3
export const CALM_LEASE_S = 4
/** The longer lease, the sweep that looks every 5 s, and as long again for a machine that has other things to do. */
export const patienceMs = (CALM_LEASE_S + 5) * 2 * 1000

/** One line of figures. */
export function say(test: string, figures: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify({ test, form: full ? 'full' : 'short', seed, ...figures })}\n`)
}

export const secondsSince = (start: number): number => Math.round((performance.now() - start) / 100) / 10
