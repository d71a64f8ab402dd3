// Whether the time of `POST /v1/signup/recover` tells that an address has a workspace: 1,000 requests with known addresses
// and 1,000 with unknown ones, in random order, over HTTP, while the background work of the service runs. Welch's test of
// the two means: beyond 3.3 a difference would be real with 99.9 %.
import { randomInt } from 'node:crypto'
import { MODULES } from '../server/src/modules.ts'
import { type OpenHouse, openHouse } from '../server/testkit/house.ts'
import { openMailSink } from '../server/testkit/mail-sink.ts'
import { benchServer, NO_SERVER } from './parts/postgres.ts'
import { judged, type Result, say } from './parts/report.ts'
import { sized, warmUp } from './parts/scale.ts'

const SAMPLES = sized(1_000)
const WARM_UP = warmUp(100)
const BLOCKS = 5
const BOUND = 3.3

type Samples = { readonly known: readonly number[]; readonly unknown: readonly number[] }

async function withService<Value>(url: string | undefined, work: (house: OpenHouse, base: string) => Promise<Value>) {
  if (url === undefined) delete process.env.TEST_DATABASE_URL
  else process.env.TEST_DATABASE_URL = url
  const sink = await openMailSink()
  const house = await openHouse({
    modules: MODULES,
    log: 'silent',
    settings: {
      'Mail:Transport': 'smtp',
      'Mail:From': 'no-reply@tether.example',
      'Mail:Smtp:Host': '127.0.0.1',
      'Mail:Smtp:Port': String(sink.port),
      'Mail:Smtp:Security': 'none',
      'Signup:MaxLinksPerIpPerDay': '1000000',
      'Signup:MaxLinksPerEmailPerHour': '1000000',
    },
  })
  try {
    await house.app.server.listen({ host: '127.0.0.1', port: 0 })
    const address = house.app.server.server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    return await work(house, `http://127.0.0.1:${port}`)
  } finally {
    await house.close()
    await sink.close()
  }
}

/** Addresses of the same length, so that the bytes of a request say nothing either. */
const addressOf = (kind: 'known' | 'other', at: number): string => `${kind}${String(at).padStart(6, '0')}@shop.example`

async function sample(house: OpenHouse, base: string): Promise<Samples> {
  const people = sized(200)
  for (let at = 0; at < people; at++) {
    const body = { name: 'Corner Shop', email: addressOf('known', at) }
    await house.ask('POST', '/v1/tenants', { key: house.operatorKey, body })
  }
  const stop = new AbortController()
  const background = keepWorking(house, stop.signal)
  const times = { known: [] as number[], unknown: [] as number[] }
  for (let at = 0; at < SAMPLES + WARM_UP; at++) {
    // In pairs, the order of each by chance: a machine that slows down slows both.
    const order = randomInt(2) === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
    for (const kind of order) {
      const took = await timed(base, addressOf(kind === 'known' ? 'known' : 'other', randomInt(people)))
      if (at >= WARM_UP) times[kind].push(took)
    }
  }
  stop.abort()
  await background
  return times
}

/** The duties as the process calls them, but more often: what they do must show least when they are busiest. */
async function keepWorking({ app }: OpenHouse, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    for (const duty of app.duties) await duty.work(signal)
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

async function timed(base: string, email: string): Promise<number> {
  const startedAt = performance.now()
  const answer = await fetch(`${base}/v1/signup/recover`, {
    method: 'POST',
    body: JSON.stringify({ email }),
    headers: { 'content-type': 'application/json' },
  })
  await answer.arrayBuffer()
  if (answer.status !== 202) throw new Error(`recover answered ${answer.status}`)
  return performance.now() - startedAt
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[values.length >> 1] ?? 0

function errorOfMean(values: readonly number[]): number {
  const middle = mean(values)
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1) / values.length
}

/** The difference of the means, in standard errors of that difference. */
function welch({ known, unknown }: Samples): { t: number; error: number } {
  const error = Math.sqrt(errorOfMean(known) + errorOfMean(unknown))
  return { t: Math.abs(mean(known) - mean(unknown)) / error, error }
}

function judge(what: string, samples: Samples): Result {
  const { t, error } = welch(samples)
  const size = SAMPLES / BLOCKS
  const blocks = Array.from({ length: BLOCKS }, (_, at) => {
    const part = (values: readonly number[]) => values.slice(at * size, (at + 1) * size)
    return welch({ known: part(samples.known), unknown: part(samples.unknown) }).t
  }).sort((one, other) => one - other)
  const us = (ms: number) => Math.round(ms * 1000)
  return judged(
    what,
    { ratio: t, quartiles: [blocks[1] ?? 0, blocks[3] ?? 0] },
    { atMost: BOUND },
    {
      knownMeanUs: us(mean(samples.known)),
      unknownMeanUs: us(mean(samples.unknown)),
      knownMedianUs: us(median(samples.known)),
      unknownMedianUs: us(median(samples.unknown)),
      smallestDifferenceSeenUs: us(BOUND * error),
      samplesEach: SAMPLES,
    },
  )
}

const server = benchServer()
const embedded = judge('standard errors apart, embedded', await withService(undefined, sample))
const real = server === undefined ? [] : [judge('standard errors apart, PostgreSQL', await withService(server, sample))]
say({
  bench: 'recover-timing',
  promise: 'The time of a recovery request does not tell whether the address has a workspace',
  results: [embedded, ...real],
  ...(server === undefined ? { skipped: NO_SERVER } : {}),
})
