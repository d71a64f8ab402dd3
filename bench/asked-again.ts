// What two safeguards cost the hot path, on PostgreSQL. Whoever asks is established again where a body comes after its head:
// a read whose body comes late, against the same read in one piece. And a claim compares what the decision rests on, in a row
// of the tenant that it locks: against a claim that changes the action and looks at nothing else.
import { hash, randomUUID } from 'node:crypto'
import pg from 'pg'
import { orderedValues } from '../server/src/kernel/db/index.ts'
import { claimAction } from '../server/src/writes/actions/deciding-queries.ts'
import { standingOf } from './calls/bare-writes.ts'
import { shopCatalog } from './calls/catalog.ts'
import { NO_POSTGRES, onPostgres } from './calls/places.ts'
import { startCallingService } from './calls/running-service.ts'
import { openShops, readRequests, type Shop, send, shopCount, startEndpoint } from './calls/shops.ts'
import { type CredentialRow, findCredential } from './parts/key-query.ts'
import { judged, type Result, say } from './parts/report.ts'
import { median, ratioOf, rounded, takeTurns } from './parts/rounds.ts'
import type { Server } from './parts/running-service.ts'
import { repeated } from './parts/scale.ts'
import { figuresOf, sideBySide } from './parts/side-by-side.ts'

const staged = repeated(64)
const claimsInSlice = repeated(64)

/** Each has a process of its own: what counts is the processor's time for an answer, because the wait for a body is not ours. */
async function lateBodies(whole: Server, late: Server, shops: readonly Shop[]): Promise<Result> {
  const requests = readRequests(shops)
  const took = await sideBySide(
    { whole: { server: whole, requests }, late: { server: late, requests, lateBodies: true } },
    { rounds: 24, sliceMs: 250, connections: 32 },
  )
  const ratio = rounded((took.late.processorUs ?? Number.NaN) / (took.whole.processorUs ?? Number.NaN))
  return judged(
    'a body that comes late',
    { ratio, quartiles: [ratio, ratio] },
    { atMost: 1.6 },
    { ...figuresOf('whole', took.whole), ...figuresOf('late', took.late) },
  )
}

/** The same change, by whoever asks. */
const BARE_CLAIM = {
  name: 'bench.claim',
  text: `update actions a
      set state = 'executing', claim_token = $3::uuid, lease_until = now() + make_interval(secs => 30),
          attempts = attempts + 1, confirmed_by_user_id = 0, sent_to = $4::text
    where a.tenant_id = $1::int and a.action_id = $2::uuid and a.state in ('pending')
      and a.expires_at > now() and a.payload_hash = $5::text
   returning a.attempts`,
}

type Waiting = {
  readonly credential: CredentialRow
  readonly actionId: string
  readonly payloadHash: string
}

async function claims(url: string, service: Server, shops: readonly Shop[]): Promise<Result> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const waiting = await stageSome(client, service, shops)
    const comparing = (one: Waiting) => ({
      ...claimAction,
      values: orderedValues(claimAction, {
        ...standingOf(one.credential),
        sentTo: one.credential.endpointUrl,
        ...{
          actionId: one.actionId,
          payloadHash: one.payloadHash,
          claimToken: randomUUID(),
          leaseSeconds: 30,
          userId: 0,
          personId: 0,
        },
      }),
    })
    const bare = ({ credential, actionId, payloadHash }: Waiting) => ({
      ...BARE_CLAIM,
      values: [credential.tenantId, actionId, randomUUID(), credential.endpointUrl, payloadHash],
    })
    const took = await takeTurns(
      { comparing: () => claimed(client, waiting, comparing), bare: () => claimed(client, waiting, bare) },
      { rounds: 24, warmUpRounds: 4 },
    )
    const us = (perSecond: readonly number[]) => Math.round(1e6 / median(perSecond))
    const figures = { comparingUs: us(took.comparing), bareUs: us(took.bare) }
    return judged('a claim that compares', ratioOf(took.bare, took.comparing), { atMost: 2 }, figures)
  } finally {
    await client.end()
  }
}

async function stageSome(client: pg.Client, service: Server, shops: readonly Shop[]): Promise<Waiting[]> {
  const waiting: Waiting[] = []
  for (let at = 0; at < staged; at++) {
    const { apiKey = '', tenantId = 0 } = shops[at % shops.length] ?? {}
    const body = { tool: 'refund_order', arguments: { number: 'A-1001', reason: `It came broken, ${at}` } }
    const { actionId } = (await send(service, 'POST', '/v1/actions', apiKey, body)) as { actionId: string }
    const asked = { ...findCredential, values: [hash('sha256', apiKey, 'buffer')] }
    const [credential] = (await client.query<CredentialRow>(asked)).rows
    const { rows } = await client.query<{ payload_hash: string }>(
      'select payload_hash from actions where tenant_id = $1 and action_id = $2',
      [tenantId, actionId],
    )
    if (credential === undefined) throw new Error('The key of a shop is not there.')
    waiting.push({ credential, actionId, payloadHash: rows[0]?.payload_hash ?? '' })
  }
  return waiting
}

/** Claims for each second of claiming; each is taken back, so that the next one finds the action as it was. */
async function claimed(
  client: pg.Client,
  waiting: readonly Waiting[],
  query: (one: Waiting) => pg.QueryConfig,
): Promise<number> {
  let spent = 0
  for (let at = 0; at < claimsInSlice; at++) {
    const one = waiting[at % waiting.length]
    if (one === undefined) throw new Error('Nothing waits.')
    await client.query('begin')
    const asked = query(one)
    const before = performance.now()
    const { rowCount } = await client.query(asked)
    spent += performance.now() - before
    await client.query('rollback')
    if (rowCount !== 1) throw new Error(`A claim changed ${rowCount} rows.`)
  }
  return (claimsInSlice / spent) * 1000
}

const endpoint = await startEndpoint()
const results = await onPostgres(1, async ([url = '']) => {
  const [whole, late] = [await startCallingService({ url }), await startCallingService({ url })]
  try {
    const shops = await openShops(whole, { count: shopCount, catalog: shopCatalog, endpoint })
    return [await lateBodies(whole, late, shops), await claims(url, whole, shops)]
  } finally {
    await Promise.all([whole.child.stop(), late.child.stop()])
  }
})
await endpoint.child.stop()
say({
  bench: 'asked-again',
  promise:
    'A body that comes late costs at most 0.6 of a read again, and a claim that compares at most twice a bare one',
  results: results ?? [],
  ...(results === undefined ? { skipped: NO_POSTGRES } : {}),
})
