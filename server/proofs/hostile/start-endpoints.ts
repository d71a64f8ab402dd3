// The endpoints live in a process of their own: what they do to the service they must not do to the one who asks it.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { closedPort, openEndpoint } from './endpoint.ts'
import { type Manner, mannersIn } from './manners.ts'

export type Endpoints = {
  readonly manners: readonly Manner[]
  /** One for each manner. */
  readonly urls: readonly string[]
  /** How often somebody came where a redirect pointed. */
  trapped(): Promise<number>
  stop(): Promise<void>
}

type Limits = { readonly timeoutMs: number; readonly maxBytes: number }

export async function startEndpoints(limits: Limits): Promise<Endpoints> {
  const child: ChildProcess = fork(fileURLToPath(import.meta.url), ['serve', JSON.stringify(limits)])
  const [urls] = (await once(child, 'message')) as [string[]]
  return {
    manners: mannersIn({ ...limits, trap: 'nowhere' }),
    urls,
    async trapped() {
      child.send('trapped')
      const [count] = (await once(child, 'message')) as [number]
      return count
    },
    async stop() {
      if (child.exitCode !== null) return
      const gone = once(child, 'exit')
      child.disconnect()
      await gone
    },
  }
}

async function serve(limits: Limits): Promise<void> {
  let trapped = 0
  const trap = await openEndpoint(() => trapped++)
  const urls: string[] = []
  for (const { answer } of mannersIn({ ...limits, trap: trap.url })) {
    urls.push(answer === null ? await closedPort() : (await openEndpoint(answer)).url)
  }
  process.on('message', () => process.send?.(trapped))
  process.on('disconnect', () => process.exit())
  process.send?.(urls)
}

if (process.argv[2] === 'serve') await serve(JSON.parse(process.argv[3] ?? '{}'))
