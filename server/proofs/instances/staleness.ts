// What each instance keeps in memory, and what ends it: changed at one, the others know it with their very next request.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verifySignature } from '../../../sdk/src/index.ts'
import { unlisted } from '../../src/kernel/db/index.ts'
import type { Scene } from '../card/scene.ts'
import { operatorKey } from '../card/settings.ts'
import { until } from '../card/wait.ts'

type Heard = { readonly headers: IncomingHttpHeaders; readonly body: string }
type Endpoint = { readonly url: string; readonly heard: Heard[]; close(): Promise<void> }

type Shop = { tenantId: number; apiKey: string; keyPrefix: string; signingSecret: string }

const read = (name: string) => ({
  name,
  description: 'Reads something of the shop, for the proof of several instances.',
  is_write: false,
  chat_eligible: true,
})
const write = { ...read('refund_order'), is_write: true }
const CATALOG = [read('get_order'), write]

async function openEndpoint(): Promise<Endpoint> {
  const heard: Heard[] = []
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    heard.push({ headers: request.headers, body })
    response.setHeader('content-type', 'application/json').end('{"state":"done"}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/tools`,
    heard,
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

const domainOfTurn = unlisted<{ domain: string | null }, { tenantId: number; requestId: string }>(
  'proof.domain_of_turn',
  `select domain from turn_records where tenant_id = $tenantId::int and request_id = $requestId::text`,
)

/** One thing that is kept: how it is changed at the first instance, and how another shows whether it knows. */
type Kept = {
  readonly name: string
  /** Whether this instance goes by what was changed last. */
  knows(seat: number, round: number): Promise<boolean>
  change(round: number): Promise<unknown>
}

/** Changes each thing a few times at one instance and asks the others at once. Answers what they did not know. */
export async function staleThings(scene: Scene, seats: number, rounds: number): Promise<string[]> {
  const endpoints = [await openEndpoint(), await openEndpoint()] as const
  try {
    const stale: string[] = []
    for (const { name, knows, change } of await thingsOf(scene, endpoints)) {
      for (let round = 0; round < rounds; round++) {
        await change(round)
        for (let seat = 0; seat < seats; seat++)
          if (!(await knows(seat, round))) stale.push(`instance ${seat} did not know ${name} in round ${round}`)
      }
    }
    return stale
  } finally {
    for (const endpoint of endpoints) await endpoint.close()
  }
}

type Bodied = Readonly<Record<string, unknown>>
type Ask = (
  seat: number,
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<{ readonly status: number; readonly body: Bodied }>

type Stage = {
  readonly scene: Scene
  readonly endpoints: readonly [Endpoint, Endpoint]
  readonly shop: Shop
  /** With a key of this workspace. */
  as(key: string): Ask
  readonly ask: Ask
  /** At the first instance. It has to succeed. */
  change(method: string, path: string, body?: unknown): Promise<Bodied>
}

async function openStage(scene: Scene, endpoints: Stage['endpoints']): Promise<Stage> {
  const as =
    (key: string): Ask =>
    async (seat, method, path, body, headers = {}) => {
      const answer = await scene.fleet.ask(seat, method, path, {
        key,
        headers,
        ...(body === undefined ? {} : { body }),
      })
      if (answer === null) throw new Error(`${method} ${path} was not answered.`)
      return { status: answer.status, body: (answer.body ?? {}) as Bodied }
    }
  const made = await as(operatorKey)(0, 'POST', '/v1/tenants', { name: 'Corner Shop', plan: 'Growth' })
  // The answer's shape is held by the tests of its route.
  const shop = made.body as unknown as Shop
  const ask = as(shop.apiKey)
  const change: Stage['change'] = async (method, path, body) => {
    const answer = await ask(0, method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  await change('PUT', '/v1/tools', CATALOG)
  await change('PUT', '/v1/endpoint', { url: endpoints[0].url })
  return { scene, endpoints, shop, as, ask, change }
}

async function thingsOf(scene: Scene, endpoints: Stage['endpoints']): Promise<Kept[]> {
  const stage = await openStage(scene, endpoints)
  return [...callsOf(stage), await policyOf(stage), ...keysOf(stage), ...(await pageOf(stage)), ...answersOf(stage)]
}

function callsOf({ endpoints, shop, ask, change }: Stage): Kept[] {
  const call = (seat: number, tool = 'get_order') => ask(seat, 'POST', `/v1/tools/${tool}/call`, { arguments: {} })
  const inUse = (round: number) => endpoints[round % 2 === 0 ? 1 : 0]
  let secret = shop.signingSecret
  return [
    {
      name: 'the catalog',
      change: (round) => change('PUT', '/v1/tools', [...CATALOG, read(`read_${round}`)]),
      async knows(seat, round) {
        const [known, gone] = [await call(seat, `read_${round}`), await call(seat, `read_${round - 1}`)]
        return known.status === 200 && gone.status === 404
      },
    },
    {
      name: 'the endpoint',
      change: (round) => change('PUT', '/v1/endpoint', { url: inUse(round).url }),
      async knows(seat, round) {
        const before = inUse(round).heard.length
        await call(seat)
        return inUse(round).heard.length === before + 1
      },
    },
    {
      name: 'the signing secret',
      async change() {
        secret = String((await change('POST', '/v1/account/signing-secret/rotate', {})).signingSecret)
      },
      async knows(seat) {
        const before = endpoints.map(({ heard }) => heard.length)
        await call(seat)
        const [heard] = endpoints.flatMap((endpoint, at) => endpoint.heard.slice(before[at]))
        return heard !== undefined && (await verifySignature({ secret, ...heard })).ok
      },
    },
  ]
}

async function policyOf({ ask, change }: Stage): Promise<Kept> {
  await change('PUT', '/v1/users', [
    { userId: 7, displayName: 'Nino', role: 'clerk' },
    { userId: 8, displayName: 'Gia', role: 'manager' },
  ])
  return {
    name: 'the policy',
    change: (round) =>
      change('PUT', '/v1/policy', {
        rules: [{ tools: ['refund_order'], roles: [round % 2 === 0 ? 'manager' : 'clerk'] }],
      }),
    async knows(seat, round) {
      const staged = await ask(seat, 'POST', '/v1/actions', { tool: 'refund_order', arguments: {} })
      const confirm = (userId: number) =>
        ask(seat, 'POST', `/v1/actions/${staged.body.actionId}/confirm`, {}, { 'x-service-user-id': String(userId) })
      const [may, mayNot] = round % 2 === 0 ? [8, 7] : [7, 8]
      const [refused, done] = [await confirm(mayNot), await confirm(may)]
      return refused.body.status !== 'Executed' && done.body.status === 'Executed'
    },
  }
}

function keysOf({ scene, as, change }: Stage): Kept[] {
  const issue = async (round: number) => {
    const { key, prefix } = await change('POST', '/v1/account/keys', { kind: 'secret', label: `key ${round}` })
    return { key: String(key), prefix: String(prefix) }
  }
  const statusOf = async (key: string, seat: number) => (await as(key)(seat, 'GET', '/v1/account')).status
  let last = { key: '', prefix: '' }
  return [
    {
      name: 'a key that was issued',
      async change(round) {
        last = await issue(round)
      },
      knows: async (seat) => (await statusOf(last.key, seat)) === 200,
    },
    {
      name: 'a key that was revoked',
      async change(round) {
        last = await issue(round)
        for (let seat = 0; seat < scene.fleet.seats; seat++) await statusOf(last.key, seat)
        await change('DELETE', `/v1/account/keys/${last.prefix}`)
      },
      knows: async (seat) => (await statusOf(last.key, seat)) === 401,
    },
  ]
}

const originOf = (round: number): string => `https://shop-${round}.example.com`

async function pageOf({ as, change }: Stage): Promise<Kept[]> {
  const { key } = await change('POST', '/v1/account/keys', { kind: 'publishable' })
  const brand = (seat: number, origin: string) => as(String(key))(seat, 'GET', '/v1/chat/brand', undefined, { origin })
  return [
    {
      name: 'the origins',
      change: (round) => change('PUT', '/v1/origins', { origins: [originOf(round)] }),
      async knows(seat, round) {
        const [known, gone] = [await brand(seat, originOf(round)), await brand(seat, originOf(round - 1))]
        return known.status === 200 && gone.status === 403
      },
    },
    {
      name: 'the brand',
      async change(round) {
        await change('PUT', '/v1/origins', { origins: [originOf(0)] })
        await change('PUT', '/v1/chat/brand', { color: `#00000${round}` })
      },
      knows: async (seat, round) => (await brand(seat, originOf(0))).body.color === `#00000${round}`,
    },
  ]
}

const HOURS = ['eight', 'nine', 'ten', 'eleven']

function answersOf({ scene, shop, ask, change }: Stage): Kept[] {
  const say = async (seat: number, prompt: string) => {
    const { body } = await ask(seat, 'POST', '/v1/chat', { prompt })
    return { text: JSON.stringify(body.blocks), requestId: String(body.requestId) }
  }
  return [
    {
      name: 'the documents',
      change: (round) =>
        change('POST', '/v1/knowledge', {
          name: 'Hours',
          text: `The shop opens at ${HOURS[round]} each day.`,
          replace: true,
        }),
      knows: async (seat, round) => (await say(seat, 'When does the shop open?')).text.includes(HOURS[round] ?? '?'),
    },
    {
      name: 'the vocabulary',
      change: (round) => change('PUT', '/v1/domain-pack', { lexicon: { [`domain_${round}`]: ['parcel'] } }),
      async knows(seat, round) {
        const { requestId } = await say(seat, 'Where is my parcel?')
        let domain: string | null | undefined
        await until(async () => {
          domain = (await scene.db.one(domainOfTurn, { tenantId: shop.tenantId, requestId }))?.domain
          return domain !== undefined
        }, 10_000)
        return domain === `domain_${round}`
      },
    },
  ]
}
