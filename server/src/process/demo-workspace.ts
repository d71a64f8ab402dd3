// The demo creates its workspace as anybody would. A file beside the data says which one it is, for the next start. No key
// is kept: each start issues its own, through the operator's routes, and ends that of the start before.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { IssuedKey, KeyList, NewTenant } from '@tether/contract'
import type { z } from 'zod'
import type { Settings } from '../kernel/settings/index.ts'
import type { Routes } from './ask-routes.ts'

type Workspace = {
  readonly tenantId: number
  readonly apiKey: string
  readonly signingSecret: string
  readonly customerTokenKey: string
}

const FILE = 'demo-workspace.json'
const NAME = 'Tea & Clay (demo)'
const LABEL = 'Demo'

const FULL = 409
const GONE = 404

type Operator = { readonly key?: string }

export async function demoWorkspace(routes: Routes, { database, operator }: Settings): Promise<Workspace> {
  const file = path.join(database.dataDirectory, FILE)
  const asOperator: Operator = operator.apiKey === undefined ? {} : { key: operator.apiKey }
  const known = await findTenant(file, routes, asOperator)
  const entered = known === undefined ? undefined : await enter(routes, known, asOperator)
  const workspace = entered ?? (await makeWorkspace(file, routes, asOperator))
  keep(file, workspace.tenantId)
  return workspace
}

/** Finds the workspace of an earlier start, unless the database is a new one, in which the id may be anybody's. */
async function findTenant(file: string, { ask }: Routes, asOperator: Operator): Promise<number | undefined> {
  const tenantId = readKept(file)
  if (tenantId === undefined) return undefined
  const { status, body } = await ask('GET', `/v1/tenants/${tenantId}`, asOperator)
  // Only an answer tells that there is no such workspace. Without one, the next start may still find it.
  if (status !== 200 && status !== GONE) throw new Error(`The demo: its workspace cannot be read. ${messageOf(body)}`)
  return status === 200 && (body as { name?: unknown }).name === NAME ? tenantId : undefined
}

/** A refusal of the service carries words that say what to do. */
const messageOf = (body: unknown): string => {
  const { error } = (body ?? {}) as { error?: { code?: string; message?: string } }
  return `${error?.code ?? 'No code'}: ${error?.message ?? JSON.stringify(body)}`
}

function readKept(file: string): number | undefined {
  try {
    const { tenantId } = JSON.parse(readFileSync(file, 'utf8')) as { tenantId?: unknown }
    return typeof tenantId === 'number' && Number.isInteger(tenantId) ? tenantId : undefined
  } catch {
    return undefined
  }
}

/** Undefined if the workspace is full of keys that somebody else issued. Any other refusal says itself what to do. */
async function enter(
  { ask, must }: Routes,
  tenantId: number,
  asOperator: Operator,
  first?: string,
): Promise<Workspace | undefined> {
  const issued = await ask('POST', '/v1/keys', { ...asOperator, body: { tenantId, label: LABEL } })
  if (issued.status === FULL) return undefined
  if (issued.status !== 200) throw new Error(`The demo: it gets no key. ${messageOf(issued.body)}`)
  // The route declares its answer.
  const { key, prefix: own } = issued.body as z.output<typeof IssuedKey>
  const { keys } = await must<z.output<typeof KeyList>>('GET', '/v1/account/keys', { key })
  for (const { prefix, label, kind, revokedAt } of keys) {
    const isOld = kind === 'secret' && revokedAt === null && (label === LABEL || prefix === first)
    if (isOld && prefix !== own) await must('DELETE', `/v1/account/keys/${prefix}`, { key })
  }
  const { signingSecret } = await must<Workspace>('POST', '/v1/account/signing-secret/rotate', { key })
  const { customerTokenKey } = await must<Workspace>('POST', '/v1/account/customer-token-key', { key })
  return { tenantId, apiKey: key, signingSecret, customerTokenKey }
}

async function makeWorkspace(file: string, routes: Routes, asOperator: Operator): Promise<Workspace> {
  // The directory comes first. If we could not keep the id, every start would create another workspace.
  mkdirSync(path.dirname(file), { recursive: true })
  const body = { name: NAME, plan: 'use_tether_ai' }
  const made = await routes.must<z.output<typeof NewTenant>>('POST', '/v1/tenants', { ...asOperator, body })
  const workspace = await enter(routes, made.tenantId, asOperator, made.keyPrefix)
  if (workspace === undefined) throw new Error('The demo: its new workspace takes no key. Raise Account:MaxLiveKeys.')
  return workspace
}

/** Writes a new file and then renames it, because half a file would lose the workspace. */
function keep(file: string, tenantId: number): void {
  const whole = `${file}.${process.pid}`
  writeFileSync(whole, `${JSON.stringify({ tenantId })}\n`)
  renameSync(whole, file)
}
