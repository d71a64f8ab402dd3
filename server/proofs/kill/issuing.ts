// Keys are asked for without a pause, and it is written down which were answered: what was answered must outlive anything.
import type { Service } from '../rig/running-service.ts'

export type Issued = { readonly key: string; readonly kind: string }

export type Shop = {
  readonly tenantId: number
  readonly apiKey: string
  /** Answered in full, the first key among them. */
  readonly answered: Issued[]
  /** Asked for, and the answer never came: each may exist or not. */
  readonly unanswered: number
}

const KINDS = ['secret', 'agent', 'publishable', 'inbox', 'ci'] as const
const askers = 6

type Issue = { key: string }
type Tenant = { tenantId: number; apiKey: string }

/** When the kill comes: at any moment, or in the moment of an answer, whose key the disk may not have yet. */
export type Moment = { readonly afterMs: number } | { readonly atAnswer: number }

/** Opens a shop, issues keys for it from several askers at once, and kills the service in the middle of that. */
export async function issueUntilKilled(service: Service, operatorKey: string, moment: Moment): Promise<Shop[]> {
  const shop = await openShop(service, operatorKey)
  let killed = false
  let gone: Promise<void> | undefined
  const kill = () => {
    killed = true
    gone ??= service.kill()
  }
  const answered: Issued[] = [{ key: shop.apiKey, kind: 'secret' }]
  let unanswered = 0
  const issue = async (place: number) => {
    for (let turn = place; !killed; turn++) {
      const kind = KINDS[turn % KINDS.length] ?? 'secret'
      const answer = await ask<Issue>(service, '/v1/account/keys', shop.apiKey, { kind })
      if (answer === undefined) unanswered++
      else answered.push({ key: answer.key, kind })
      if ('atAnswer' in moment && answered.length > moment.atAnswer) kill()
    }
  }
  const shops: Shop[] = []
  const open = async () => {
    while (!killed) {
      const more = await openShop(service, operatorKey).catch(() => undefined)
      if (more !== undefined) shops.push({ ...more, answered: [{ key: more.apiKey, kind: 'secret' }], unanswered: 0 })
    }
  }
  if ('afterMs' in moment) setTimeout(kill, moment.afterMs)
  await Promise.all([open(), ...Array.from({ length: askers }, (_, place) => issue(place))])
  await gone
  return [{ ...shop, answered, unanswered }, ...shops]
}

async function openShop(service: Service, operatorKey: string): Promise<Tenant> {
  const made = await ask<Tenant>(service, '/v1/tenants', operatorKey, { name: 'Corner Shop' })
  if (made === undefined) throw new Error('The service went away before the shop was open.')
  return made
}

/** Undefined when the service was gone before it had answered; every other answer than a success is a fault. */
async function ask<Body>(service: Service, path: string, key: string, body: object): Promise<Body | undefined> {
  const answer = await service.ask('POST', path, { key, body }).catch(() => undefined)
  if (answer === undefined) return undefined
  if (answer.status !== 200) throw new Error(`POST ${path} answered ${answer.status} ${answer.text}`)
  // What both routes answer is held to the contract by their own tests.
  return answer.body as Body
}
