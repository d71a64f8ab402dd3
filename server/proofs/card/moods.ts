// An endpoint in every mood, each drawn from the seed, the action and the turn.
import { type Random, randomOf } from '../fuzz/random.ts'
import { type Act, type Arrival, done } from './receiver.ts'
import { pause } from './wait.ts'

/** In parts of a hundred: what a write may meet. */
export const STORMY = {
  answers: 66,
  slow: 8,
  hangs: 2,
  answersTooLate: 2,
  dropsBefore: 5,
  performsThenDrops: 6,
  fails: 2,
  performsThenFails: 4,
  busy: 3,
  refuses: 2,
}
type Mood = keyof typeof STORMY

/** Longer than the service waits. */
const TOO_LATE_MS = 900

/** How `number` is treated: the same in every run of the same seed. */
export function moody(seed: number, weights: Readonly<Record<Mood, number>> = STORMY): (arrival: Arrival) => Act {
  return ({ arguments: given, turn }) => {
    const random = randomOf(seed, Number(given.number) * 16 + turn)
    return act(random.weighted(weights), random)
  }
}

function act(mood: Mood, random: Random): Act {
  const short = () => pause(5 + random.int(115))
  switch (mood) {
    case 'answers':
      return done()
    case 'slow':
      return { ...done(), wait: short() }
    case 'hangs':
      return { performs: 'no', wait: pause(TOO_LATE_MS), answer: 'hang up' }
    case 'answersTooLate':
      return { ...done(), performs: 'last', wait: pause(TOO_LATE_MS) }
    case 'dropsBefore':
      return { performs: 'no', answer: 'hang up' }
    case 'performsThenDrops':
      return { performs: 'first', answer: 'hang up', ...(random.chance(0.5) ? { wait: short() } : {}) }
    case 'fails':
      return { performs: 'no', answer: { status: 503, body: 'down' } }
    case 'performsThenFails':
      return { performs: 'first', answer: { status: random.pick([500, 502, 504]), body: '{"broken":true}' } }
    case 'busy':
      return { performs: 'no', answer: { status: random.pick([408, 429]), body: '' } }
    case 'refuses':
      return { performs: 'no', answer: { status: random.pick([400, 404, 409, 422]), body: '{"no":true}' } }
  }
}
