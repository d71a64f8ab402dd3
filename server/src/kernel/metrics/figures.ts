import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { inTime } from '../clock/index.ts'

// Prometheus waits 10 s. A figure that a silent database owes must not cost the operator all the others.
const PATIENCE_MS = 4_000

/** An answered request, by its declared route. */
export type Served = { readonly route: string; readonly method: string; readonly status: number; readonly ms: number }

export type Read = () => number | Promise<number>

export type Figures = {
  observe(served: Served): void
  gauge(name: string, help: string, read: Read): void
  /** Prometheus' text format. */
  text(): Promise<{ type: string; content: string }>
}

/** The process's own figures, and one histogram of requests by declared route, never by address or tenant. */
export function openFigures(): Figures {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'tether_http_request_seconds',
    help: 'Requests by route, method and status class',
    labelNames: ['route', 'method', 'status'] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  // One text finds the child of a route and status class, which is cheaper than hashing three labels.
  const children = new Map<string, { observe(seconds: number): void }>()
  return {
    observe({ route, method, status, ms }) {
      const key = `${method} ${route} ${Math.floor(status / 100)}`
      let child = children.get(key)
      if (child === undefined) {
        child = requests.labels({ route, method, status: `${Math.floor(status / 100)}xx` })
        children.set(key, child)
      }
      child.observe(ms / 1000)
    },
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          try {
            this.set((await inTime(PATIENCE_MS, Promise.resolve(read()))) ?? Number.NaN)
          } catch {
            this.set(Number.NaN)
          }
        },
      })
    },
    text: async () => ({ type: registry.contentType, content: await registry.metrics() }),
  }
}
