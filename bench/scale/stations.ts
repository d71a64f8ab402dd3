// Where work waits its turn: stations with a number of servers, and a tenant's line, whose waiting writes go together.
import type { Agenda } from './agenda.ts'

export type Station = {
  /** Work for that long, as soon as a server is free. */
  serve(ms: number, done: () => void): void
  /** Takes a server for as long as the holder wants: `give` frees it. */
  take(taken: (give: () => void) => void): void
  /** Busy servers and those that wait, summed over time: milliseconds of servers, milliseconds of waiters. */
  figures(): { readonly busyMs: number; readonly waitedMs: number }
}

export function openStation(agenda: Agenda, servers: number): Station {
  const waiting: ((give: () => void) => void)[] = []
  let first = 0
  let busy = 0
  let [busyMs, waitedMs, since] = [0, 0, 0]

  const account = (): void => {
    const passed = agenda.now() - since
    busyMs += busy * passed
    waitedMs += (waiting.length - first) * passed
    since = agenda.now()
  }
  const give = (): void => {
    account()
    busy--
    next()
  }
  function next(): void {
    const one = waiting[first]
    if (one === undefined || busy >= servers) return
    first++
    if (first > 1_000 && first * 2 > waiting.length) {
      waiting.splice(0, first)
      first = 0
    }
    busy++
    one(give)
  }
  const take: Station['take'] = (taken) => {
    account()
    waiting.push(taken)
    next()
  }
  return {
    take,
    serve(ms, done) {
      take((free) =>
        agenda.after(ms, () => {
          free()
          done()
        }),
      )
    },
    figures() {
      account()
      return { busyMs, waitedMs }
    },
  }
}

export type Line<Write> = { write(write: Write, done: () => void): void }

/** One write goes at once; what comes meanwhile goes together, up to so many at a time. */
export function openLine<Write>(
  mostTogether: number,
  perform: (together: readonly Write[], done: () => void) => void,
): Line<Write> {
  let waiting: { readonly write: Write; readonly done: () => void }[] = []
  let isBusy = false
  function next(): void {
    const together = waiting.slice(0, mostTogether)
    waiting = waiting.slice(mostTogether)
    isBusy = together.length > 0
    if (!isBusy) return
    perform(
      together.map(({ write }) => write),
      () => {
        for (const { done } of together) done()
        next()
      },
    )
  }
  return {
    write(write, done) {
      waiting.push({ write, done })
      if (!isBusy) next()
    },
  }
}
