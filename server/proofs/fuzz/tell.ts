// What a run has found, in words that lead back to the request.
import type { Found, FuzzReport } from './run.ts'
import type { Shot } from './shot.ts'

const mostShown = 900

/** One entry for each kind of fault at each operation, with the first request that showed it. */
export function tellFound(found: readonly Found[]): string {
  const groups = Map.groupBy(found, ({ rule, detail, shot }) =>
    [
      rule,
      shot.isHttp ? `${shot.method} ${shot.operation.path}` : 'not HTTP',
      detail.replace(/[0-9a-f]{4,}/g, '…').slice(0, 80),
    ].join(' | '),
  )
  return [...groups]
    .map(([name, [first, ...more]]) =>
      first === undefined
        ? name
        : `${name}  (${more.length + 1} times)\n    ${first.detail}\n    request ${first.shot.index}: ${bytesOf(first.shot)}`,
    )
    .join('\n')
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
