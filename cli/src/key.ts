// Where the address and the key come from: the environment, else the file that `tether login` wrote. Never from the command line, where
// every process of the machine, and the shell's history, would have it.
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { type Client, client } from '../../sdk/src/index.ts'
import { type Login, UsageError } from './command.ts'
import { exactText } from './exact-json.ts'
import { parseExact } from './places.ts'
import type { Surroundings } from './surroundings.ts'

const json = { parse: parseExact, stringify: exactText }

type Env = Surroundings['env']

export const loginFile = ({ TETHER_LOGIN_FILE, XDG_CONFIG_HOME }: Env): string =>
  TETHER_LOGIN_FILE || path.join(XDG_CONFIG_HOME || path.join(homedir(), '.config'), 'tether', 'login.json')

export const KEY_LIKE = /\bt[a-z]{2}_[0-9a-f]{12,}/

/** What `tether dev` keeps in the folder where it runs: the commands of that folder speak with its service. */
export const LOCAL_FOLDER = '.tether'
export const LOCAL_LOGIN = path.join(LOCAL_FOLDER, 'login.json')

/** A folder may come from somebody else, and so may what is in it: it leads no farther than this machine. */
function readLocal(): Login | undefined {
  const kept = readLogin(LOCAL_LOGIN)
  if (kept !== undefined && !/^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/.test(kept.url))
    throw new UsageError(`${LOCAL_LOGIN} leads to another machine, and only \`tether dev\` writes it. Remove it.`)
  return kept
}

/** The environment wins, each value by itself, so that a pipeline needs no file. */
export function findLogin(env: Env): Login {
  const { TETHER_BASE_URL, TETHER_API_KEY } = env
  if (TETHER_BASE_URL && TETHER_API_KEY) return { url: TETHER_BASE_URL, key: TETHER_API_KEY }
  const kept = readLocal() ?? readLogin(loginFile(env))
  const url = TETHER_BASE_URL || kept?.url
  const key = TETHER_API_KEY || kept?.key
  if (url === undefined)
    throw new UsageError(
      'Set TETHER_BASE_URL to the address of the service, run `tether login`, or start one here with `tether dev`.',
    )
  if (key === undefined) throw new UsageError('Set TETHER_API_KEY to a secret key, or run `tether login`.')
  // A key is only ever sent to the service that it was kept for.
  if (!TETHER_API_KEY && kept?.url !== url)
    throw new UsageError(`The key that was kept is for ${kept?.url}. Set TETHER_API_KEY for ${url}, or log in there.`)
  return { url: url.replace(/\/+$/, ''), key }
}

export const open = ({ url, key }: Login, timeoutSeconds = 60): Client => {
  try {
    return client({ url, key, headers: { 'User-Agent': 'tether-cli/1.0.0' }, timeoutSeconds, json })
  } catch (error) {
    // The SDK names its own members, and a person set these.
    const message = error instanceof Error && error.message.includes('"key"') ? KEY_FORM : URL_FORM
    throw new UsageError(message)
  }
}
const KEY_FORM = 'TETHER_API_KEY is not a key of the service. One begins with “tth_”.'
const URL_FORM =
  'TETHER_BASE_URL must be the address of the service without a path, such as https://assistant.example.com.'

export function readLogin(file: string): Login | undefined {
  let text: string
  try {
    if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
      throw new UsageError(`${file} can be read by others. Run \`chmod 600 ${file}\`, and replace the key in it.`)
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const kept = JSON.parse(text) as Partial<Login>
  return typeof kept.url === 'string' && typeof kept.key === 'string' ? { url: kept.url, key: kept.key } : undefined
}

/** Whole or not at all, and never readable by others in between. */
export function keepLogin(env: Env, login: Login): string {
  const file = loginFile(env)
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const fresh = `${file}.${process.pid}`
  try {
    writeFileSync(fresh, `${JSON.stringify(login)}\n`, { mode: 0o600, flag: 'wx' })
    chmodSync(fresh, 0o600)
    renameSync(fresh, file)
  } finally {
    rmSync(fresh, { force: true })
  }
  return file
}
