// The demo creates its workspace as anybody would, and keeps its keys in a file beside the data for the next start.
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

/** Finds the workspace of an earlier start, unless the database is a new one. */
async function stillThere(file: string, { ask }: Routes): Promise<Workspace | undefined> {
  const kept = readKept(file)
  if (kept === undefined) return undefined
  return (await ask('GET', '/v1/account', { key: kept.apiKey })).status === 200 ? kept : undefined
}

function readKept(file: string): Workspace | undefined {
  try {
    // The next lines check its members.
    const kept = JSON.parse(readFileSync(file, 'utf8')) as Workspace
    const secrets = [kept.apiKey, kept.signingSecret, kept.customerTokenKey]
    return Number.isInteger(kept.tenantId) && secrets.every((secret) => typeof secret === 'string') ? kept : undefined
  } catch {
    return undefined
  }
}

async function makeWorkspace(file: string, { must }: Routes, operatorKey: string | undefined): Promise<Workspace> {
  // The directory comes first. If we could not keep the keys, every start would create another workspace.
  mkdirSync(path.dirname(file), { recursive: true })
  const made = await must<Workspace>('POST', '/v1/tenants', {
    body: { name: 'Tea & Clay (demo)', plan: 'use_tether_ai' },
    ...(operatorKey === undefined ? {} : { key: operatorKey }),
  })
  const { tenantId, apiKey, signingSecret } = made
  const { customerTokenKey } = await must<Workspace>('POST', '/v1/account/customer-token-key', { key: apiKey })
  const kept: Workspace = { tenantId, apiKey, signingSecret, customerTokenKey }
  // We write a new file and then rename it. An existing file would keep its own mode, and half a file has no keys.
  const whole = `${file}.${process.pid}`
  writeFileSync(whole, `${JSON.stringify(kept)}\n`, { mode: 0o600 })
  renameSync(whole, file)
  return kept
}
