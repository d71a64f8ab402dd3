// Drives one operation in every way in which a caller can bring a secret along, rightly and wrongly.
import type { Workspace } from '../fuzz/cast.ts'
import { openHarvest } from '../fuzz/harvest.ts'
import { writeJson } from '../fuzz/json-tree.ts'
import type { Random } from '../fuzz/random.ts'
import { valueFor } from '../fuzz/values.ts'
import type { Operation, Reference } from '../rig/reference.ts'
import type { Answered } from '../rig/running-service.ts'
import type { Canary } from './canary.ts'
import { callersSecrets, strangersKey } from './plant.ts'

export type Send = (method: string, path: string, headers: Record<string, string>, body?: string) => Promise<Answered>

export type Driver = {
  readonly reference: Reference
  readonly random: Random
  readonly send: Send
  /** Takes note of every secret that is brought along. */
  readonly planted: (canaries: readonly Canary[]) => void
}

/** Whether one of the attempts was a success. */
export async function drive(driver: Driver, operation: Operation, workspace: Workspace, customerTokenKey: string) {
  const { tenantId, keys } = workspace
  const { planted } = driver
  let succeeded = false
  const send: Send = async (...request) => {
    const answer = await driver.send(...request)
    succeeded ||= answer.status < 300
    return answer
  }
  const { method } = operation
  const kind = operation.reach.find((one) => keys[one] !== undefined) ?? 'secret'
  const key = keys[kind] ?? ''
  const other = Object.entries(keys).find(([name]) => !operation.reach.includes(name))?.[1] ?? key
  const { headers, forged, canaries } = callersSecrets(tenantId, customerTokenKey)
  planted(canaries)
  const stranger = (name: string): string => {
    const value = strangersKey()
    planted([{ name: `a key that was never issued, ${name}`, value }])
    return value
  }
  const { path, body } = goodRequest(driver, operation, workspace)
  const withQuery = (text: string) => `${path}${path.includes('?') ? '&' : '?'}${text}`
  // What the path names would be this key itself, so that its address holds a secret.
  const keyInPath = operation.path.replace(/\{\w+\}/g, () => stranger('in the path'))
  // Who confirms a write says who it is.
  const own = { 'x-api-key': key, 'x-service-user-id': '7', ...headers }

  await send(method, path, { 'x-api-key': stranger('in X-Api-Key'), ...headers }, body)
  await send(method, path, { authorization: `Bearer ${stranger('in Authorization')}` }, body)
  await send(method, path, { authorization: `Basic ${stranger('as Basic')}` }, body)
  await send(method, path, { 'x-api-key': `${key}, ${stranger('doubled')}` }, body)
  await send(method, path, { 'x-api-key': other, ...headers }, body)
  await send(method, path, { 'x-api-key': other, ...forged }, body)
  await send(method, withQuery(`api_key=${stranger('in the query')}&token=${other}`), {}, body)
  if (keyInPath !== operation.path) await send(method, keyInPath, own, body)
  await send(method, `${path}/${stranger('past the path')}`, own, body)
  await send(method === 'PATCH' ? 'PUT' : 'PATCH', withQuery(`key=${stranger('with another verb')}`), own, body)
  if (method !== 'GET') {
    await send(method, path, own, `{"apiKey":"${stranger('in a broken body')}",`)
    await send(method, path, { ...own, 'content-type': 'text/plain' }, `"${stranger('in a text body')}"`)
    await send(method, path, own, JSON.stringify(stranger('as the body')))
    await send(method, path, own, strayMembers(operation, stranger))
  }
  await driver.send('GET', '/v1/account', { 'x-api-key': keys.secret ?? '', ...forged })
  await send(method, withQuery(`api_key=${stranger('beside the key')}`), { authorization: `Bearer ${key}` }, body)
  await send(method, path, own, body)
  return succeeded
}

/** Every member of the body holds a secret where something else belongs, and one stands beside them. */
function strayMembers({ body }: Operation, stranger: (name: string) => string): string {
  const properties = Object.keys((body?.schema.properties ?? {}) as object)
  // A text that the service is asked to keep is kept, so what is put there must not be of the shape that it takes.
  const wrong = properties.map((name) => [name, [{ key: stranger(`in the member ${name}`) }]])
  return JSON.stringify({ ...Object.fromEntries(wrong), password: stranger('in an unknown member') })
}

function goodRequest({ reference, random }: Driver, operation: Operation, { tenantId, steps }: Workspace) {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const example = operation.parameters.find((one) => one.name === name)?.example
    return encodeURIComponent(steps[name] ?? example ?? 'x')
  })
  if (operation.body === undefined) return { path, body: undefined }
  const { example, schema } = operation.body
  if (example === undefined) {
    return { path, body: writeJson(valueFor({ reference, harvest: openHarvest(), random }, schema, '')) }
  }
  // An example names a tenant that may be somebody else's.
  const isObject = typeof example === 'object' && example !== null
  const own = isObject && 'tenantId' in example ? { ...example, tenantId } : example
  return { path, body: JSON.stringify(own) }
}
