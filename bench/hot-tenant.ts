// One workspace that stages as fast as it can, against a hundred that do the same together. The trail of a workspace has one end,
// which each of its writes holds until it is committed; without more, one workspace gets the rate of one connection.
import { shopCatalog } from './calls/catalog.ts'
import { NO_POSTGRES, onPostgres } from './calls/places.ts'
import { startCallingService } from './calls/running-service.ts'
import { openShops, postRequest, type Shop, startEndpoint } from './calls/shops.ts'
import { judged, type Result, say } from './parts/report.ts'
import { ratioOf } from './parts/rounds.ts'
import { sized } from './parts/scale.ts'
import { figuresOf, sideBySide } from './parts/side-by-side.ts'

const many = sized(100)
const connections = 32
/** So many may wait that none is refused while we measure. */
const ROOM = { AI__Approvals__MaxPending: '1000000' }

/** As on a disk that takes 2 ms to write: what waits is the commit, and not the processor of the machine that measures. */
const SLOW_DISK = '?options=-c%20commit_delay%3D2000%20-c%20commit_siblings%3D0'

const staged = ({ apiKey }: Shop): Buffer =>
  postRequest(
    '/v1/actions',
    apiKey,
    '{"tool":"refund_order","arguments":{"number":"A-1001","reason":"It came broken"}}',
  )

const endpoint = await startEndpoint()

async function measure(what: string, disk: string, [oneUrl, manyUrl]: readonly [string, string]): Promise<Result> {
  const one = await startCallingService({ url: `${oneUrl}${disk}` }, ROOM)
  const hundred = await startCallingService({ url: `${manyUrl}${disk}` }, ROOM)
  try {
    const [hot] = await openShops(one, { count: 1, catalog: shopCatalog, endpoint })
    const shops = await openShops(hundred, { count: many, catalog: shopCatalog, endpoint })
    if (hot === undefined) throw new Error('There is no shop.')
    const took = await sideBySide(
      { one: { server: one, requests: [staged(hot)] }, many: { server: hundred, requests: shops.map(staged) } },
      { rounds: 20, sliceMs: 250, connections },
    )
    const ratio = ratioOf(took.one.perSecond, took.many.perSecond)
    const figures = { ...figuresOf('one', took.one), ...figuresOf('many', took.many), inFlight: connections }
    return judged(what, ratio, { atLeast: 0.7 }, figures)
  } finally {
    await Promise.all([one.child.stop(), hundred.child.stop()])
  }
}

const results = await onPostgres(4, async ([one = '', many = '', slowOne = '', slowMany = '']) => [
  await measure('on the disk as it is', '', [one, many]),
  await measure('on a disk of 2 ms', SLOW_DISK, [slowOne, slowMany]),
])
await endpoint.child.stop()
say({
  bench: 'hot-tenant',
  promise: 'One workspace stages at 0.7 of the rate that a hundred have together',
  results: results ?? [],
  ...(results === undefined ? { skipped: NO_POSTGRES } : {}),
})
