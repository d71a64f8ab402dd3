// Every route that changes something of a workspace, from the declarations themselves, so that a new one is in the race too.
import type { Route } from '../../src/tenancy/access/index.ts'
import type { Told, TwoHouses } from './two-houses.ts'

export type Prepared = {
  readonly tenantId: number
  readonly apiKey: string
  readonly agentPrefix: string
  readonly actionId: string
}

/** What a request to a route needs: whose key, which path, what body. */
export type Writer = {
  readonly name: string
  run(houses: TwoHouses, times: number, workspace: Prepared): Promise<Told<{ key?: string; apiKey?: string }>[]>
}

const TOOLS = [
  { name: 'get_order', description: 'Looks up one order of the shop by its number.', is_write: false },
  { name: 'refund_order', description: 'Pays the money of one order back to the customer.', is_write: true },
]

/** A workspace with something of everything, so that there is much to erase and every route finds what it needs. */
export async function prepare(houses: TwoHouses, endpoint: string): Promise<Prepared> {
  const { tenantId, apiKey } = await houses.tenant()
  const must = async <Body>(method: string, path: string, body: object): Promise<Body> => {
    const [told] = await houses.parallel<Body>(1, method, path, () => ({ key: apiKey, body }))
    if (told?.status !== 200)
      throw new Error(`${method} ${path} answered ${told?.status} ${JSON.stringify(told?.body)}`)
    return told.body
  }
  const { prefix } = await must<{ prefix: string }>('POST', '/v1/account/keys', { kind: 'agent' })
  await must('PUT', '/v1/tools', TOOLS)
  await must('PUT', '/v1/endpoint', { url: endpoint })
  const staged = { tool: 'refund_order', arguments: { number: 'A-1001' } }
  const { actionId } = await must<{ actionId: string }>('POST', '/v1/actions', staged)
  return { tenantId, apiKey, agentPrefix: prefix, actionId }
}

export function writersOf(routes: readonly Route[], endpoint: string): Writer[] {
  return routes.filter(changesAWorkspace).map((route) => ({
    name: `${route.method} ${route.path}`,
    run: (houses, times, workspace) =>
      houses.parallel(times, route.method, pathOf(route, workspace), () => ({
        key: route.reach.who === 'operator' ? houses.operatorKey : workspace.apiKey,
        ...bodyOf(route, workspace, endpoint),
      })),
  }))
}

const DELETIONS = ['DELETE /v1/account', 'DELETE /v1/tenants/:id', 'POST /v1/tenants']

const changesAWorkspace = ({ method, path, reach }: Route): boolean =>
  method !== 'GET' &&
  !DELETIONS.includes(`${method} ${path}`) &&
  (reach.who === 'operator' || (reach.who === 'tenant' && reach.kinds.includes('secret')))

function pathOf({ path, example }: Route, { tenantId, agentPrefix, actionId }: Prepared): string {
  const known: Record<string, string> = { id: String(tenantId), prefix: agentPrefix, actionId, name: 'get_order' }
  return path.replace(/:(\w+)/g, (_, name: string) => known[name] ?? example?.params?.[name] ?? 'x')
}

function bodyOf({ path, body, example }: Route, { tenantId }: Prepared, endpoint: string): { body?: object } {
  if (path === '/v1/endpoint') return { body: { url: endpoint } }
  if (path === '/v1/keys') return { body: { tenantId, kind: 'agent' } }
  if (path === '/v1/tools' || path === '/v1/tools/validate') return { body: TOOLS }
  if (body === undefined) return {}
  const given = example?.body
  return { body: typeof given === 'object' && given !== null ? given : {} }
}
