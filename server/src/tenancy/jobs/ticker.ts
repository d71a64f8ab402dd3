type Ticker = {
  /** Begins after that pause, or at once, unless the work is under way or about to be. */
  wake(pauseMs?: number): void
  /** Begins now, or as soon as the work that is under way has ended. */
  hurry(): void
  /** Runs the work once more, and then no longer. */
  close(): Promise<void>
}

/** Runs `work` when it is woken, and again after the pause that it names. Null rests until the next call. */
export function openTicker(work: () => Promise<number | null>): Ticker {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let hurries = false
  let closed = false

  const run = (): void => {
    clearTimeout(timer)
    timer = undefined
    hurries = false
    running = work().then((pauseMs) => {
      running = undefined
      if (closed) return
      if (hurries) run()
      else if (pauseMs !== null) timer = setTimeout(run, pauseMs).unref()
    })
  }
  return {
    wake(pauseMs = 0) {
      if (timer !== undefined || running !== undefined || closed) return
      if (pauseMs === 0) run()
      else timer = setTimeout(run, pauseMs).unref()
    },
    hurry() {
      if (closed) return
      if (running === undefined) run()
      else hurries = true
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await running
      await work()
    },
  }
}
