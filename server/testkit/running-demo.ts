// The service as `npm start` starts it, with its demo, in a process and a folder of its own.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'

export type RunningDemo = {
  /** Where the pages are, `http://localhost:…`. */
  readonly url: string
  /** Stages a write as the shop's own server would, and answers the action's id. */
  stage(tool: string, given: object): Promise<string>
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const START = path.join(import.meta.dirname, '../start.mjs')

export async function openRunningDemo(settings: Record<string, string> = {}): Promise<RunningDemo> {
  const directory = mkdtempSync(path.join(tmpdir(), 'tether-running-'))
  const service = spawn(process.execPath, [START, 'serve'], {
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
    const url = await urlOf(service.stdout)
    // Whoever reads no further would stop it from writing.
    service.stdout.resume()
    return { url, stage: stager(url, directory), close, [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The screen of Development names it once the demo is open; the process says so, or ends. */
async function urlOf(screen: Readable): Promise<string> {
  let text = ''
  for await (const piece of screen.iterator({ destroyOnReturn: false })) {
    text += piece
    const [, url] = /Demo shop +(http:\S+)\/demo\b/.exec(text) ?? []
    if (url !== undefined) return url
    if (text.includes('Ctrl-C')) break
  }
  throw new Error(`There is no demo: ${text}`)
}

function stager(url: string, directory: string) {
  const read = (name: string) => readFileSync(path.join(directory, name), 'utf8').trim()
  const post = async <Body>(route: string, key: string, body: object): Promise<Body> => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const answer = await fetch(url + route, { method: 'POST', headers, body: JSON.stringify(body) })
    const said = await answer.json()
    if (!answer.ok) throw new Error(`${route}: ${JSON.stringify(said)}`)
    return said as Body
  }
  // The demo keeps its own key to itself, so the shop's server has one from the operator.
  const issue = () => {
    const { tenantId } = JSON.parse(read('demo-workspace.json')) as { tenantId: number }
    return post<{ key: string }>('/v1/keys', read('development-secrets/Operator-ApiKey'), { tenantId })
  }
  let issued: Promise<{ key: string }> | undefined
  return async (tool: string, given: object) => {
    issued ??= issue()
    const { key } = await issued
    return (await post<{ actionId: string }>('/v1/actions', key, { tool, arguments: given })).actionId
  }
}
