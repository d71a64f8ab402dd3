import type { Figures, Read, Served } from './figures.ts'

export type Metrics = {
  observeRequest(served: Served): void
  /** A figure that is read when somebody asks for the figures; one that cannot be read then is not a number (NaN). */
  gauge(name: string, help: string, read: Read): void
  text: Figures['text']
}

/** The library of the figures is loaded once the first request has been answered: no start waits for it. */
export function openMetrics(): Metrics {
  // What is to be done with the figures when there are some.
  const early: ((figures: Figures) => void)[] = []
  let figures: Figures | undefined
  let opening: Promise<Figures> | undefined

  async function open(): Promise<Figures> {
    const { openFigures } = await import('./figures.ts')
    figures = openFigures()
    for (const act of early.splice(0)) act(figures)
    return figures
  }
  const opened = (): Promise<Figures> => (opening ??= open())
  const soon = (act: (figures: Figures) => void): void => {
    if (figures === undefined) early.push(act)
    else act(figures)
  }
  return {
    observeRequest(served) {
      soon((open) => open.observe(served))
      void opened()
    },
    gauge(name, help, read) {
      soon((open) => open.gauge(name, help, read))
    },
    text: async () => (await opened()).text(),
  }
}
