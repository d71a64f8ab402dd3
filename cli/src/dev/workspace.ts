// The workspace of this folder: its key and its signing secret stand in `.tether`, for their owner alone, and survive a restart.
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { client, TetherError } from '../../../sdk/src/index.ts'
import { LOCAL_FOLDER, LOCAL_LOGIN, open, readLogin } from '../key.ts'

export const DATA = path.join(LOCAL_FOLDER, 'data')
export const RECEIVER_ENV = path.join(LOCAL_FOLDER, 'receiver.env')
const OPERATOR_KEY = path.join(DATA, 'development-secrets/Operator-ApiKey')

export function makeFolder(): void {
  mkdirSync(LOCAL_FOLDER, { recursive: true, mode: 0o700 })
  const ignored = path.join(LOCAL_FOLDER, '.gitignore')
  if (!existsSync(ignored)) writeFileSync(ignored, '*\n')
}

export type Workspace = { readonly name: string; readonly isNew: boolean }

export async function workspaceAt(url: string): Promise<Workspace> {
  const kept = readLogin(LOCAL_LOGIN)
  const known = kept === undefined || !existsSync(RECEIVER_ENV) ? undefined : await nameOf({ ...kept, url })
  if (kept !== undefined && known !== undefined) {
    // The port may be another than last time.
    writePrivate(LOCAL_LOGIN, `${JSON.stringify({ url, key: kept.key })}\n`)
    return { name: known, isNew: false }
  }
  const operator = client({ url, headers: { 'X-Api-Key': readFileSync(OPERATOR_KEY, 'utf8').trim() } })
  const made = await operator.request('POST /v1/tenants', { body: { name: 'My shop', plan: 'use_tether_ai' } })
  writePrivate(RECEIVER_ENV, `TETHER_SIGNING_SECRET=${made.signingSecret}\n`)
  writePrivate(LOCAL_LOGIN, `${JSON.stringify({ url, key: made.apiKey })}\n`)
  return { name: made.name, isNew: true }
}

/** Undefined where the key is of a database that is gone. */
async function nameOf(login: { readonly url: string; readonly key: string }): Promise<string | undefined> {
  try {
    return (await open(login).request('GET /v1/account')).name
  } catch (error) {
    if (error instanceof TetherError && error.status === 401) return undefined
    throw error
  }
}

function writePrivate(file: string, text: string): void {
  const fresh = `${file}.${process.pid}`
  try {
    writeFileSync(fresh, text, { mode: 0o600, flag: 'wx' })
    chmodSync(fresh, 0o600)
    renameSync(fresh, file)
  } finally {
    rmSync(fresh, { force: true })
  }
}
