import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = {
  observeRequest(served: { route: string; method: string; status: number; ms: number }): void
  /** `read` runs whenever the metrics are collected; if it fails, the figure is NaN. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void
  /** Prometheus' text format. */
  text(): Promise<{ type: string; content: string }>
}

/** The process's own figures, and one histogram of requests by declared route, never by address or tenant. */
export function openMetrics(): Metrics {
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
    observeRequest({ route, method, status, ms }) {
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
            this.set(await read())
          } catch {
            this.set(Number.NaN)
          }
        },
      })
    },
    text: async () => ({ type: registry.contentType, content: await registry.metrics() }),
  }
}
