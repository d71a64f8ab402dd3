// What a run has found, in words that lead back to the request.
import type { Found, FuzzReport } from './run.ts'
import type { Shot } from './shot.ts'

const mostShown = 400

export function tellFound({ rule, detail, where, shot, times }: Found): string {
  return `${rule} | ${where} | ${detail} | ${times} times, first by request ${shot.index}: ${bytesOf(shot)}`
}

/** The errors that the service has logged, each once, with the first of our own lines in its stack. */
export function tellLoggedErrors(output: string): string[] {
  const causes = output
    .split('\n')
    .filter((line) => line.startsWith('{"level":"error"'))
    .map((line) => {
      const { error, msg } = JSON.parse(line) as { error?: { message?: string; stack?: string }; msg: string }
      const frame = /server\/src\/(?!kernel\/db)[\w./-]+:\d+/.exec(error?.stack ?? '')?.[0] ?? ''
      return `${msg} ${error?.message ?? ''} ${frame}`
    })
  return [...Map.groupBy(causes, (cause) => cause)].map(([cause, all]) => `${cause} (${all.length} times)`)
}

export const bytesOf = ({ sending }: Shot): string => {
  const bytes = Buffer.concat(sending.pieces)
  const text = JSON.stringify(bytes.subarray(0, mostShown).toString('latin1'))
  return bytes.length > mostShown ? `${text} … ${bytes.length} bytes` : text
}

export function tellReport({ asked, slowest, unanswered, renewals }: FuzzReport): string[] {
  const tallies = [...asked.values()]
  const sum = (of: (tally: (typeof tallies)[number]) => number) =>
    tallies.reduce((total, tally) => total + of(tally), 0)
  const never = [...asked].filter(([, tally]) => tally.succeeded === 0).map(([name]) => name)
  return [
    `${asked.size} operations; of ${sum((tally) => tally.asked)} answers to them ${sum((tally) => tally.succeeded)} were successes`,
    `${unanswered} connections closed without an answer; ${renewals} workspaces were made anew`,
    `never a success: ${never.length === 0 ? 'none' : never.join(', ')}`,
    ...slowest.map(
      ({ shot, ms }) => `slow: ${Math.round(ms)} ms, request ${shot.index}: ${bytesOf(shot).slice(0, 160)}`,
    ),
  ]
}
