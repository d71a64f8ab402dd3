// Who asks: a few workspaces with a live key of every kind that can be had, made again as soon as one of them is dead.
import type { Answered, Asked } from '../rig/running-service.ts'
import type { Random } from './random.ts'

export type Ask = (method: string, path: string, asked?: Asked) => Promise<Pick<Answered, 'status' | 'text' | 'body'>>

export type Workspace = {
  readonly tenantId: number
  readonly keys: Readonly<Record<string, string>>
  /** What the parameters of paths are called, to what this workspace has of them. */
  readonly steps: Readonly<Record<string, string>>
}

export type Cast = {
  readonly operatorKey: string
  /** The kinds of key that there are, the operator's among them. */
  readonly kinds: readonly string[]
  workspace(random: Random): { workspace: Workspace; slot: number }
  /** Replaces the workspace of a slot, once for everybody who found it dead. */
  renew(slot: number, dead: Workspace): Promise<void>
  renewals(): number
}

const issued: readonly { kind: string; body: object }[] = [
  { kind: 'agent', body: { kind: 'agent' } },
  { kind: 'publishable', body: { kind: 'publishable' } },
  { kind: 'inbox', body: { kind: 'inbox' } },
  { kind: 'ci', body: { kind: 'ci' } },
  { kind: 'ci_replace', body: { kind: 'ci', allowReplace: true } },
]

export type CastOptions = {
  readonly ask: Ask
  readonly operatorKey: string
  /** A tool endpoint that answers. */
  readonly endpoint: string
  readonly slots?: number
  /** Is told what the new workspaces were told. */
  readonly heard?: (body: unknown) => void
}

export async function assemble(options: CastOptions): Promise<Cast> {
  const { operatorKey, slots = 4 } = options
  const workspaces: Workspace[] = []
  for (let slot = 0; slot < slots; slot++) workspaces.push(await openWorkspace(options))
  const renewing = new Map<number, Promise<void>>()
  let renewals = 0
  const renew = async (slot: number) => {
    workspaces[slot] = await openWorkspace(options)
    renewing.delete(slot)
  }
  return {
    operatorKey,
    kinds: Object.keys(workspaces[0]?.keys ?? {}),
    workspace(random) {
      const slot = random.int(slots)
      const workspace = workspaces[slot]
      if (workspace === undefined) throw new Error('The cast has fewer workspaces than slots.')
      return { workspace, slot }
    },
    async renew(slot, dead) {
      if (workspaces[slot] !== dead) return
      let under = renewing.get(slot)
      if (under === undefined) {
        renewals++
        under = renew(slot)
        renewing.set(slot, under)
      }
      await under
    },
    renewals: () => renewals,
  }
}

/** With a key of every kind, a catalog, an endpoint, and writes that wait for a person. */
async function openWorkspace({ ask, operatorKey, endpoint, heard = () => {} }: CastOptions): Promise<Workspace> {
  const must = async <Body>(method: string, path: string, key: string, body: object): Promise<Body> => {
    const answer = await ask(method, path, { key, body })
    if (answer.status !== 200) throw new Error(`${method} ${path} answered ${answer.status} ${answer.text}`)
    heard(answer.body)
    // What the routes below answer, and the contract's tests hold them to.
    return answer.body as Body
  }
  const { tenantId, apiKey } = await must<{ tenantId: number; apiKey: string }>('POST', '/v1/tenants', operatorKey, {
    name: 'Corner Shop',
  })
  const keys: Record<string, string> = { secret: apiKey, operator: operatorKey }
  for (const { kind, body } of issued) {
    keys[kind] = (await must<{ key: string }>('POST', '/v1/account/keys', apiKey, body)).key
  }
  keys.provider = (await must<{ key: string }>('POST', `/v1/tenants/${tenantId}/provider`, operatorKey, {})).key
  await must('PUT', '/v1/tools', apiKey, TOOLS)
  await must('PUT', '/v1/endpoint', apiKey, { url: endpoint })
  const write = { tool: 'refund_order', arguments: { number: 'A-1001' } }
  await must('POST', '/v1/actions', apiKey, write)
  const staged = await must<{ actionId: string; confirmationToken: string }>('POST', '/v1/actions', apiKey, write)
  keys.action = staged.confirmationToken
  const prefix = (keys.agent ?? '').slice(0, 12)
  const steps = { id: String(tenantId), prefix, actionId: staged.actionId, name: 'get_order' }
  // A deployment without a model begins no conversation.
  const said = await ask('POST', '/v1/chat', { key: apiKey, body: { prompt: 'Hello' } })
  const { sessionId = 'none' } = said.body as { sessionId?: string }
  return { tenantId, keys, steps: { ...steps, sessionId } }
}

// The tools that the examples of the reference speak of.
const TOOLS = [
  { name: 'get_order', description: 'Looks up one order of the shop by its number.', is_write: false },
  { name: 'refund_order', description: 'Pays the money of one order back to the customer.', is_write: true },
]

/** What a key becomes in careless or hostile hands. None of them may open anything. */
const SPOILT: readonly ((key: string, random: Random) => string)[] = [
  (key) => key.slice(0, -1),
  (key) => `${key}0`,
  (key) => key.slice(0, 12),
  (key) => key.toUpperCase(),
  (key) => `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`,
  (key) => `tpv_${key.slice(4)}`,
  (key) => `"${key}"`,
  (key) => encodeURIComponent(`${key} `),
  (key) => `${key}, ${key}`,
  (key) => `Bearer ${key}`,
  (key) => `${key}\u00a0x`,
  (key) => `\u00e9${key}`,
  () => '',
  () => ' ',
  () => 'null',
  () => 'tth_',
  () => `tth_${'g'.repeat(48)}`,
  () => `tth_${'0'.repeat(48)}`,
  () => 'x'.repeat(7000),
  () => "' or 1=1 --",
]

export const spoiltKey = (key: string, random: Random): string => random.pick(SPOILT)(key, random)
