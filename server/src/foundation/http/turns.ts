// Keeps requests that no key limits from delaying the others. Each turn of the event loop serves at most one of them. A request that
// needs several turns (to look up its key, to query the database) then waits behind one of them per turn, not behind every connection.

export type Turns = {
  /** Resolves when the caller may go on: first come, first served, one caller per turn of the event loop. */
  next(): Promise<void>
  /** Charges the bytes of an answer: a large one uses up several turns, because the thread copies it to the socket. */
  charge(bytes: number): void
}

const BYTES_PER_TURN = 64 * 1024

export function openTurns(): Turns {
  const waiting: (() => void)[] = []
  let usedUp = 0
  let isRunning = false
  function turn(): void {
    if (usedUp > 0) usedUp--
    else waiting.shift()?.()
    isRunning = usedUp > 0 || waiting.length > 0
    if (isRunning) setImmediate(turn)
  }
  function run(): void {
    if (isRunning) return
    isRunning = true
    setImmediate(turn)
  }
  return {
    next: () =>
      new Promise((resolve) => {
        waiting.push(resolve)
        run()
      }),
    charge(bytes) {
      usedUp += Math.floor(bytes / BYTES_PER_TURN)
      if (usedUp > 0) run()
    },
  }
}
