// The same signed POSTs as jobs of graphile-worker. It is given more than it would have: the secrets and the addresses are in
// its memory, it keeps no list of attempts, no order, and no guard looks at where it goes.
import { run } from 'graphile-worker'
import { Agent } from 'undici'
import { type SigningKey, signingKey, signRequest } from '../../server/src/kernel/crypto/index.ts'
import { envelopeOf } from '../../server/src/tenancy/events/envelope.ts'

type Job = { tenantId: number; eventId: string; occurredAt: string }

const [connectionString = '', url = '', secretsText = '{}', concurrency = '24', queue = '0'] = process.argv.slice(2)
const secrets = JSON.parse(secretsText) as Record<string, string>
// As the service keeps them: made once.
const keys = new Map<number, SigningKey>()
function keyOf(tenantId: number): SigningKey {
  const known = keys.get(tenantId)
  if (known !== undefined) return known
  const key = signingKey(secrets[tenantId] ?? '')
  keys.set(tenantId, key)
  return key
}
const agent = new Agent({ connections: 64, pipelining: 1 })
const { origin, pathname } = new URL(url)
const size = Number(queue)

async function deliver(given: unknown): Promise<void> {
  const { tenantId, eventId, occurredAt } = given as Job
  const nothing = { actionId: null, sessionId: null, tool: null, scopeId: null, fields: '{}' }
  const body = envelopeOf({ ...nothing, tenantId, eventId, event: 'bench.event', occurredAt: new Date(occurredAt) })
  const signature = signRequest(keyOf(tenantId), {
    id: eventId,
    timestamp: Math.floor(Date.now() / 1000),
    body,
  })
  const { statusCode, body: answer } = await agent.request({
    origin,
    path: pathname,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'X-Service-Idempotency-Key': eventId,
      'X-Service-Delivery-Attempt': '1',
      ...signature,
      'user-agent': 'graphile',
      'accept-encoding': 'identity',
    },
    body,
  })
  await answer.dump()
  if (statusCode >= 300) throw new Error(`answered ${statusCode}`)
}

const runner = await run({
  connectionString,
  taskList: { deliver: async (payload) => deliver(payload) },
  noHandleSignals: true,
  preset: {
    worker: {
      concurrentJobs: Number(concurrency),
      maxPoolSize: Math.max(10, Number(concurrency) + 2),
      pollInterval: 1000,
      ...(size > 0 ? { localQueue: { size }, completeJobBatchDelay: 2, failJobBatchDelay: 2 } : {}),
    },
  },
})
process.on('SIGTERM', () => void runner.stop().finally(() => process.exit(0)))
