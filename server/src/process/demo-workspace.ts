// The demo's workspace, made as anybody would make one. Its keys lie in a file beside the data, so that the next start finds it.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Settings } from '../settings/index.ts'
import type { Routes } from './ask-routes.ts'

export type Workspace = {
  readonly tenantId: number
  readonly apiKey: string
  readonly signingSecret: string
  readonly customerTokenKey: string
}

const FILE = 'demo-workspace.json'

export async function demoWorkspace(routes: Routes, { database, operator }: Settings): Promise<Workspace> {
  const file = path.join(database.dataDirectory, FILE)
  return (await stillThere(file, routes)) ?? (await makeWorkspace(file, routes, operator.apiKey))
}

/** The workspace of an earlier start, unless the database has begun anew since. */
async function stillThere(file: string, { ask }: Routes): Promise<Workspace | undefined> {
  const kept = readKept(file)
  if (kept === undefined) return undefined
  return (await ask('GET', '/v1/account', { key: kept.apiKey })).status === 200 ? kept : undefined
}

function readKept(file: string): Workspace | undefined {
  try {
    // Its members are looked at on the next lines.
    const kept = JSON.parse(readFileSync(file, 'utf8')) as Workspace
    const secrets = [kept.apiKey, kept.signingSecret, kept.customerTokenKey]
    return Number.isInteger(kept.tenantId) && secrets.every((secret) => typeof secret === 'string') ? kept : undefined
  } catch {
    return undefined
  }
}

async function makeWorkspace(file: string, { must }: Routes, operatorKey: string | undefined): Promise<Workspace> {
  // Before there is a workspace: one whose keys cannot be kept would be made anew at every start.
  mkdirSync(path.dirname(file), { recursive: true })
  const made = await must<Workspace>('POST', '/v1/tenants', {
    body: { name: 'Tea & Clay (demo)', plan: 'use_tether_ai' },
    ...(operatorKey === undefined ? {} : { key: operatorKey }),
  })
  const { tenantId, apiKey, signingSecret } = made
  const { customerTokenKey } = await must<Workspace>('POST', '/v1/account/customer-token-key', { key: apiKey })
  const kept: Workspace = { tenantId, apiKey, signingSecret, customerTokenKey }
  // Written whole and then named: a file that was there before would keep its own mode, and half a file no keys.
  const whole = `${file}.${process.pid}`
  writeFileSync(whole, `${JSON.stringify(kept)}\n`, { mode: 0o600 })
  renameSync(whole, file)
  return kept
}
