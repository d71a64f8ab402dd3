import { setTimeout as pause } from 'node:timers/promises'
import type { Held, Told } from './clock.ts'
import type { Line, Shot } from './wire.ts'

/** `healthMs` is of the wall clock, which the machine's other work moves as well: it is told and never judged. */
export type Waited = Held & { readonly healthMs: number }

/** Another tenant, who asks all the time. */
export type Victim = {
  /** The longest that it waited while this was under way. */
  during(work: () => Promise<unknown>): Promise<Waited>
}

const between = 2
const bare = { method: 'GET', body: Buffer.alloc(0) } as const

export function openVictim(line: Line, apiKey: string, tell: (told: Told) => Promise<unknown>): Victim {
  const health: Shot = { ...bare, key: '', path: '/health' }
  const read: Shot = { ...bare, key: apiKey, path: '/v1/account' }

  async function longest(shot: Shot, isOver: () => boolean): Promise<number> {
    let most = 0
    while (!isOver()) {
      const started = performance.now()
      const status = await line.send(shot)
      if (status !== 200) throw new Error(`The victim's ${shot.path} answered ${status}.`)
      most = Math.max(most, performance.now() - started)
      await pause(between)
    }
    return most
  }

  return {
    async during(work) {
      let over = false
      await tell({ watch: read.path })
      const watching = Promise.all([longest(health, () => over), longest(read, () => over)])
      try {
        await pause(5 * between)
        await work()
      } finally {
        over = true
      }
      const [healthMs] = await watching
      return { ...((await tell('held')) as Held), healthMs }
    },
  }
}
