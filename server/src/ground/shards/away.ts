// Which database is away stands in the log, and not in the answer of whoever asked.
import { isUnavailable } from '../../foundation/db/index.ts'
import { seldom } from '../../foundation/log/index.ts'
import type { House } from '../context/index.ts'

const AWAY_EVERY_MS = 10_000

/** Says that a database does not answer, whoever was to be found or answered there. Of any other error it says nothing. */
export type SayAway = (error: unknown) => void

export function openSayAway(name: string, log: House['log']): SayAway {
  const say = seldom(log, AWAY_EVERY_MS)
  return (error) => {
    if (isUnavailable(error))
      say(
        { reason: error.message },
        `The database "${name}" does not answer. Requests of its tenants get 503 until it is back.`,
      )
  }
}
