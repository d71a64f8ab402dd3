// The service as `npm start` starts it, with its demo, in a process and a folder of its own.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { fillDataDirectory, SHORT_LIVED } from './data-directory.ts'

export type RunningDemo = {
  /** Where the pages are, `http://localhost:…`. */
  readonly url: string
  /** Signs the demo's approver in to the inbox, once. */
  readonly signInLink: string
  /** Stages a write as the shop's own server would, for the customer who is signed in to it, and answers the action's id. */
  stage(tool: string, given: object): Promise<string>
  /** A key of the demo's workspace. The demo keeps its own to itself, so this one is the operator's doing, once. */
  issueKey(): Promise<string>
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const REPOSITORY = path.join(import.meta.dirname, '../..')

/** In `folder` stands the service: as sources, or built. */
export async function openRunningDemo(
  settings: Readonly<Record<string, string>> = {},
  folder = REPOSITORY,
): Promise<RunningDemo> {
  const directory = mkdtempSync(path.join(tmpdir(), 'tether-running-'))
  if (settings.DATABASE_URL === undefined && settings.Database__Url === undefined) await fillDataDirectory(directory)
  const service = spawn(process.execPath, [...SHORT_LIVED, path.join(folder, 'server/start.mjs'), 'serve'], {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: '0', Database__DataDirectory: directory, Log__Level: 'warn', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = new Promise<void>((resolve) => service.once('exit', () => resolve()))
  const close = async () => {
    service.kill('SIGTERM')
    await gone
    rmSync(directory, { recursive: true, force: true })
  }
  try {
    const { url, signInLink } = await readScreen(service.stdout)
    // Whoever reads no further would stop it from writing.
    service.stdout.resume()
    const issueKey = issuer(url, directory, settings.Operator__ApiKey)
    return { url, signInLink, issueKey, stage: stager(url, issueKey), close, [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The screen of Development names both once the demo is open; the process says so, or ends. */
async function readScreen(screen: Readable): Promise<{ url: string; signInLink: string }> {
  let text = ''
  for await (const piece of screen.iterator({ destroyOnReturn: false })) {
    text += piece
    const [, url] = /Demo shop +(http:\S+)\/demo\b/.exec(text) ?? []
    const [signInLink] = /http:\S+\/inbox#signin=\S+(?=\n)/.exec(text) ?? []
    if (url !== undefined && signInLink !== undefined) return { url, signInLink }
    if (text.includes('Ctrl-C')) break
  }
  throw new Error(`There is no demo: ${text}`)
}

const stager = (url: string, issueKey: () => Promise<string>) => async (tool: string, given: object) => {
  const token = await fetch(`${url}/demo/customer-token`, { headers: { 'sec-fetch-site': 'same-origin' } })
  const headers = { 'x-service-customer-token': await token.text() }
  const staged = await post<{ actionId: string }>(
    `${url}/v1/actions`,
    await issueKey(),
    { tool, arguments: given },
    headers,
  )
  return staged.actionId
}

function issuer(url: string, directory: string, operatorKey?: string): () => Promise<string> {
  const read = (name: string) => readFileSync(path.join(directory, name), 'utf8').trim()
  const issue = async () => {
    const { tenantId } = JSON.parse(read('demo-workspace.json')) as { tenantId: number }
    const operator = operatorKey ?? read('development-secrets/Operator-ApiKey')
    return (await post<{ key: string }>(`${url}/v1/keys`, operator, { tenantId })).key
  }
  let issued: Promise<string> | undefined
  return () => (issued ??= issue())
}

async function post<Body>(address: string, key: string, body: object, more: object = {}): Promise<Body> {
  const headers = { ...more, 'x-api-key': key, 'content-type': 'application/json' }
  const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })
  const said = await answer.json()
  if (!answer.ok) throw new Error(`${address}: ${JSON.stringify(said)}`)
  return said as Body
}
