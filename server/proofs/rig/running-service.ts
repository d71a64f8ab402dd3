// The service as an operator runs it: a process of its own on a data directory, to be stopped, killed and started again.
import { type ChildProcess, execFileSync, type Serializable, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { start } from './start-file.ts'

export type Asked = {
  readonly key?: string
  readonly body?: unknown
  /** Sent as it is, instead of `body`. */
  readonly raw?: string
  readonly headers?: Record<string, string>
}
export type Answered = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed text where it is JSON; what it holds is the caller's claim. */
  readonly body: unknown
}

export type Service = {
  readonly port: number
  readonly pid: number
  /** Everything that it has written so far, both streams. */
  output(): string
  ask(method: string, path: string, asked?: Asked): Promise<Answered>
  /** The memory of the process that is in use, in bytes. */
  residentBytes(): number
  /** Sends a message to what was loaded before it, and answers what that says. */
  tell(message: Serializable): Promise<unknown>
  /** Like a power cut for the process: nothing of it runs after this. */
  kill(): Promise<void>
  /** Asks it to stop, and waits until it has. */
  stop(): Promise<number | null>
}

export type ServiceOptions = {
  readonly directory: string
  /** `Section:Name` to text. Nothing of the caller's own environment reaches the service but what a process needs. */
  readonly settings?: Readonly<Record<string, string>>
  /** A module that is loaded before the service, and answers each message with one. */
  readonly preload?: string
}

const startLimitMs = 120_000
const stopLimitMs = 30_000

export async function startService({ directory, settings = {}, preload }: ServiceOptions): Promise<Service> {
  const preloading = preload === undefined ? [] : [`--import=${pathToFileURL(preload)}`]
  const child = spawn(process.execPath, [...preloading, start, 'serve'], {
    env: environmentOf({
      'Http:Port': '0',
      'Log:Format': 'json',
      'Database:DataDirectory': directory,
      'Demo:Enabled': 'false',
      ...settings,
    }),
    stdio: ['ignore', 'pipe', 'pipe', preload === undefined ? 'ignore' : 'ipc'],
  })
  const written: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => written.push(text))
  }
  const output = () => written.join('')
  // A proof that fails half-way must not leave a process behind.
  const reap = () => child.kill('SIGKILL')
  process.once('exit', reap)
  const gone = new Promise<number | null>((resolve) => child.once('close', resolve))
  void gone.then(() => process.off('exit', reap))
  const port = await portOf(child, output)
  return {
    port,
    pid: child.pid ?? 0,
    output,
    ask: (method, path, asked = {}) => ask(port, method, path, asked),
    residentBytes: () => residentBytes(child.pid ?? 0),
    async tell(message) {
      const answered = once(child, 'message')
      child.send(message)
      const [answer] = await answered
      return answer
    },
    async kill() {
      child.kill('SIGKILL')
      await gone
    },
    async stop() {
      child.kill('SIGTERM')
      const late = setTimeout(reap, stopLimitMs)
      return await gone.finally(() => clearTimeout(late))
    },
  }
}

export type Worker = { stop(): Promise<void> }

/** The regular work in a process of its own, as an operator runs it beside the instances. */
export function startWorker({ directory, settings = {} }: ServiceOptions): Worker {
  const child = spawn(process.execPath, [start, 'work'], {
    env: environmentOf({ 'Log:Format': 'json', 'Database:DataDirectory': directory, ...settings }),
    stdio: 'ignore',
  })
  const reap = () => child.kill('SIGKILL')
  process.once('exit', reap)
  const gone = once(child, 'close').finally(() => process.off('exit', reap))
  return {
    async stop() {
      child.kill('SIGTERM')
      const late = setTimeout(reap, stopLimitMs)
      await gone
      clearTimeout(late)
    },
  }
}

export type Ran = { readonly status: number | null; readonly stdout: string; readonly stderr: string }

/** Runs one command of the service to its end. */
export async function runCommand(args: readonly string[], { directory, settings = {} }: ServiceOptions): Promise<Ran> {
  const env = environmentOf({ 'Log:Format': 'json', 'Database:DataDirectory': directory, ...settings })
  const child = spawn(process.execPath, [start, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const late = setTimeout(() => child.kill('SIGKILL'), startLimitMs)
  const [[status], stdout, stderr] = await Promise.all([
    once(child, 'close'),
    child.stdout.toArray(),
    child.stderr.toArray(),
  ])
  clearTimeout(late)
  const textOf = (pieces: Buffer[]): string => Buffer.concat(pieces).toString()
  return { status, stdout: textOf(stdout), stderr: textOf(stderr) }
}

function environmentOf(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env
  const given = Object.entries({ PATH, HOME, TMPDIR }).filter(([, value]) => value !== undefined)
  const named = Object.entries(settings).map(([name, value]) => [name.replaceAll(':', '__'), value])
  return Object.fromEntries([...given, ...named])
}

// The screen of Development, or the line of Production.
const READY = [/API +http:\/\/[^\s]+:(\d+)/, /"port":(\d+)[^\n]*Tether is ready/]

function portOf(child: ChildProcess, output: () => string): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      child.kill('SIGKILL')
      reject(new Error(`The service ${why}. It wrote:\n${output()}`))
    }
    const late = setTimeout(() => fail('did not start in time'), startLimitMs)
    const look = () => {
      const found = READY.map((pattern) => pattern.exec(output())?.[1]).find((port) => port !== undefined)
      if (found === undefined) return
      clearTimeout(late)
      child.stdout?.off('data', look)
      resolve(Number(found))
    }
    child.stdout?.on('data', look)
    child.once('close', (code) => {
      clearTimeout(late)
      fail(`ended with ${code} before it was ready`)
    })
  })
}

async function ask(port: number, method: string, path: string, asked: Asked): Promise<Answered> {
  const { key, body, headers } = asked
  const sent = asked.raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      ...(key === undefined ? {} : { 'x-api-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    // As bytes: of a text `fetch` would say that it is text/plain.
    ...(sent === undefined ? {} : { body: Buffer.from(sent) }),
  })
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true && text !== ''
  return { status: answer.status, headers: answer.headers, text, body: isJson ? JSON.parse(text) : undefined }
}

function residentBytes(pid: number): number {
  if (process.platform !== 'linux') return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)])) * 1024
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) * 1024
}
