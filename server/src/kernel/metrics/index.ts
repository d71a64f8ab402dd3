import type { Figures, Read, Served } from './figures.ts'

export type Metrics = {
  observeRequest(served: Served): void
  /** `read` runs whenever the metrics are collected; if it fails, the figure is NaN. */
  gauge(name: string, help: string, read: Read): void
  text: Figures['text']
}

/** The first answered request loads the library of the figures, so that no start waits for it. */
export function openMetrics(): Metrics {
  // These calls came before the library was loaded.
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
