// Where the official client is used, and nowhere else. It is loaded with the first call of an upstream.
import {
  Client,
  type JsonSchemaValidator,
  type PriorDiscovery,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { VERSION } from '../../version.ts'
import { guardedFetch } from './guarded-fetch.ts'
import { MOST_PAGES } from './limits.ts'
import type { CallSent } from './opened.ts'
import type { KnownServers, Reaching } from './reaching.ts'

export type Connecting = {
  readonly url: string
  readonly credential: string | null
  /** By the clock of `performance`. */
  readonly until: number
  readonly callBytes: number
  readonly tracked: CallSent
  readonly signal: AbortSignal
  readonly giveUp: (reason: Error) => void
}

/** The client would compile a server's schema into code and run its patterns without a bound. What it answers is checked by whoever calls it. */
const NOTHING_COMPILED = {
  getValidator: <Value>(): JsonSchemaValidator<Value> => {
    return (input) => ({ valid: true, data: unchecked(input), errorMessage: undefined })
  },
}

/** The cast is true because nothing is promised of the value. */
const unchecked = <Value>(input: unknown) => input as Value

// Which era a server speaks is found out once for each address, and again after a while: servers are upgraded.
const ERA_IS_GOOD_MS = 10 * 60_000
const MOST_ERAS = 1_000

/** Opens the server for one piece of work and closes it afterwards: nothing of one call is there for the next. */
export async function withServer<Result>(
  ctx: Reaching,
  connecting: Connecting,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const { url, credential, until, callBytes, tracked, signal, giveUp } = connecting
  const client = new Client(
    { name: 'tether', version: VERSION },
    {
      versionNegotiation: { mode: 'auto' },
      listMaxPages: MOST_PAGES,
      jsonSchemaValidator: NOTHING_COMPILED,
      // What would need an answer from the caller fails instead: there is nobody here to ask.
      inputRequired: { autoFulfill: false },
    },
  )
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: guardedFetch(ctx, { until, callBytes, tracked, giveUp }),
    requestInit: credential === null ? {} : { headers: { authorization: `Bearer ${credential}` } },
    reconnectionOptions: {
      initialReconnectionDelay: 500,
      maxReconnectionDelay: 2_000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: 2,
    },
    onInsufficientScope: 'throw',
  })
  const { eras } = ctx.servers
  const key = `${ctx.asking.tenantId} ${url}`
  const known = eras.get(key)
  const prior = known !== undefined && known.at + ERA_IS_GOOD_MS > performance.now() ? { prior: known.prior } : {}
  try {
    await client.connect(transport, { signal, timeout: left(until), ...prior })
    if (!('prior' in prior)) remember(eras, key, client)
    return await work(client)
  } catch (error) {
    eras.delete(key)
    throw error
  } finally {
    // A session of 2025 is ended where there is one. Nobody waits for it, and whether its server hears of it changes nothing.
    const close = () => client.close().catch(() => {})
    void transport.terminateSession().then(close, close)
  }
}

export const left = (until: number): number => Math.max(1, Math.ceil(until - performance.now()))

function remember(eras: KnownServers['eras'], key: string, client: Client): void {
  const discover = client.getDiscoverResult()
  const prior: PriorDiscovery = discover === undefined ? { kind: 'legacy' } : { kind: 'modern', discover }
  const [oldest] = eras.keys()
  if (eras.size >= MOST_ERAS && oldest !== undefined) eras.delete(oldest)
  eras.set(key, { prior, at: performance.now() })
}
