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
  /** Of the demo's workspace. */
  readonly apiKey: string
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

type Workspace = { readonly apiKey: string }

const REPOSITORY = path.join(import.meta.dirname, '../..')

/** In `folder` stands the service: as sources, or built. */
export async function openRunningDemo(
  settings: Readonly<Record<string, string>> = {},
  folder = REPOSITORY,
): Promise<RunningDemo> {
  const directory = mkdtempSync(path.join(tmpdir(), 'tether-running-'))
  const service = spawn(process.execPath, [path.join(folder, 'server/start.mjs'), 'serve'], {
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
    const url = await urlOf(service.stdout)
    // Whoever reads no further would stop it from writing.
    service.stdout.resume()
    const { apiKey } = JSON.parse(readFileSync(path.join(directory, 'demo-workspace.json'), 'utf8')) as Workspace
    return { url, apiKey, stage: stager(url, apiKey), close, [Symbol.asyncDispose]: close }
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

const stager = (url: string, apiKey: string) => async (tool: string, given: object) => {
  const answer = await fetch(`${url}/v1/actions`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ tool, arguments: given }),
  })
  const said = (await answer.json()) as { actionId: string }
  if (!answer.ok) throw new Error(`Not staged: ${JSON.stringify(said)}`)
  return said.actionId
}
