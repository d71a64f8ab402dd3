// Keeps requests that no key limits from delaying the others. Each turn of the event loop serves at most one of them. A request that
// needs several turns (to look up its key, to query the database) then waits behind one of them per turn, not behind every connection.
// Callers wait in lines, and the lines take turns: a caller who sends many requests delays the next line by one turn, not by all of them.

export type Turns = {
  /** Resolves when the caller may go on. Each turn of the event loop serves the first caller of one line, and the next turn another line. */
  next(line: string): Promise<void>
  /** Charges the bytes of an answer: a large one uses up several turns, because the thread copies it to the socket. */
  charge(bytes: number): void
}

const BYTES_PER_TURN = 64 * 1024

export function openTurns(): Turns {
  // Only lines in which a caller waits. A served line moves to the end, so the first one is always next.
  const lines = new Map<string, (() => void)[]>()
  let usedUp = 0
  let isRunning = false
  function serve(): void {
    const [first] = lines
    if (first === undefined) return
    const [line, waiting] = first
    waiting.shift()?.()
    lines.delete(line)
    if (waiting.length > 0) lines.set(line, waiting)
  }
  function turn(): void {
    if (usedUp > 0) usedUp--
    else serve()
    isRunning = usedUp > 0 || lines.size > 0
    if (isRunning) setImmediate(turn)
  }
  function run(): void {
    if (isRunning) return
    isRunning = true
    setImmediate(turn)
  }
  return {
    next: (line) =>
      new Promise((resolve) => {
        const waiting = lines.get(line)
        if (waiting === undefined) lines.set(line, [resolve])
        else waiting.push(resolve)
        run()
      }),
    charge(bytes) {
      usedUp += Math.floor(bytes / BYTES_PER_TURN)
      if (usedUp > 0) run()
    },
  }
}
