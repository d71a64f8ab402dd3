// Servers under measure are processes of their own, each told apart by what it costs and none left behind.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

export const ROOT = path.join(import.meta.dirname, '../..')

export type Child = {
  readonly pid: number
  readonly process: ChildProcess
  /** Milliseconds of processor time so far, all threads together; undefined where the system does not tell. */
  cpuMs(): number | undefined
  /** Asks it to end, and waits until it has. */
  stop(): Promise<void>
}

const children = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})
// Whoever ends the bench ends its children, too.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(1))

const stopLimitMs = 10_000

/** Starts a file, named from the repository, with nothing of our own environment but the path. */
export function startNode(
  file: string,
  args: readonly string[],
  { env = {}, stdout = 'ignore' }: { env?: Readonly<Record<string, string>>; stdout?: 'ignore' | 'pipe' } = {},
): Child {
  const child = spawn(process.execPath, [path.resolve(ROOT, file), ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', stdout, 'pipe'],
  })
  children.add(child)
  let complaint = ''
  let stopping = false
  child.stderr?.on('data', (text: Buffer) => {
    complaint += text.toString()
  })
  child.on('exit', (code, signal) => {
    children.delete(child)
    if (!stopping) throw new Error(`${file} ended by itself (${signal ?? code}): ${complaint}`)
  })
  const pid = child.pid ?? 0
  return {
    pid,
    process: child,
    cpuMs: () => cpuMsOf(pid),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      stopping = true
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      const cut = setTimeout(() => child.kill('SIGKILL'), stopLimitMs)
      await gone
      clearTimeout(cut)
    },
  }
}

const TICK_MS = 10 // Linux reports processor time in hundredths of a second

function cpuMsOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return undefined
  }
}

/** A port that was free a moment ago. The service is told one, because its words go to /dev/null. */
export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('The system gave no port.')
  return address.port
}

const startLimitMs = 60_000

/** Asks `/health` until it answers 200. */
export async function healthy(port: number, everyMs: number): Promise<void> {
  const until = performance.now() + startLimitMs
  while (performance.now() < until) {
    if (await answersHealth(port)) return
    await pause(everyMs)
  }
  throw new Error(`Nothing answered on port ${port} within ${startLimitMs / 1000} s.`)
}

function answersHealth(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = net.connect(port, '127.0.0.1', () => socket.write('GET /health HTTP/1.1\r\nhost: bench\r\n\r\n'))
  socket.on('data', (bytes) => resolve(bytes.toString('latin1').startsWith('HTTP/1.1 200')))
  socket.on('error', () => resolve(false))
  socket.on('close', () => resolve(false))
  return promise.finally(() => socket.destroy())
}
