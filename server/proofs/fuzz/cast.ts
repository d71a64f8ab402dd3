// Who asks: a few workspaces with a live key of every kind that can be had, made again as soon as one of them is dead.
import type { Answered, Asked } from '../rig/service.ts'
import type { Random } from './random.ts'

export type Ask = (method: string, path: string, asked?: Asked) => Promise<Pick<Answered, 'status' | 'text' | 'body'>>

export type Workspace = { readonly tenantId: number; readonly keys: Readonly<Record<string, string>> }

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

export async function assemble(ask: Ask, operatorKey: string, slots = 4): Promise<Cast> {
  const workspaces: Workspace[] = []
  for (let slot = 0; slot < slots; slot++) workspaces.push(await openWorkspace(ask, operatorKey))
  const renewing = new Map<number, Promise<void>>()
  let renewals = 0
  const renew = async (slot: number) => {
    workspaces[slot] = await openWorkspace(ask, operatorKey)
    renewing.delete(slot)
  }
  return {
    operatorKey,
    kinds: ['operator', 'provider', 'secret', ...issued.map(({ kind }) => kind)],
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

async function openWorkspace(ask: Ask, operatorKey: string): Promise<Workspace> {
  const must = async <Body>(path: string, key: string, body: object): Promise<Body> => {
    const answer = await ask('POST', path, { key, body })
    if (answer.status !== 200) throw new Error(`POST ${path} answered ${answer.status} ${answer.text}`)
    // What the three routes below answer, and the contract's tests hold them to.
    return answer.body as Body
  }
  const made = await must<{ tenantId: number; apiKey: string }>('/v1/tenants', operatorKey, { name: 'Corner Shop' })
  const keys: Record<string, string> = { secret: made.apiKey, operator: operatorKey }
  for (const { kind, body } of issued) {
    keys[kind] = (await must<{ key: string }>('/v1/account/keys', made.apiKey, body)).key
  }
  keys.provider = (await must<{ key: string }>(`/v1/tenants/${made.tenantId}/provider`, operatorKey, {})).key
  return { tenantId: made.tenantId, keys }
}

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
