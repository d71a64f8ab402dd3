// Clients that read, stage, confirm and talk, each asking again as soon as it is answered.
import { lasting } from '../parts/scale.ts'
import { randomFrom } from '../retrieval/random.ts'
import { type Line, openLine } from './pair-load.ts'
import { postRequest, type Shop } from './shops.ts'

export const KINDS = ['read', 'stage', 'confirm', 'turn'] as const
export type KindName = (typeof KINDS)[number]
export type Shares = Readonly<Partial<Record<KindName, number>>>

export type MixedLoad = {
  /** Stages what a slice may confirm, so that none stages what it does not count. */
  prepare(clients: number): Promise<void>
  /** Returns the number of answers. */
  slice(shares: Shares, clients: number, milliseconds: number): Promise<number>
  close(): void
}

/** More than one slice confirms. */
const MOST_CONFIRMED = 100

type Staged = { readonly actionId: string; readonly confirmationToken: string }

export async function openMixedLoad(port: number, shops: readonly Shop[], mostClients: number): Promise<MixedLoad> {
  const lines = await Promise.all(Array.from({ length: mostClients }, () => openLine(port)))
  const random = randomFrom(26)
  const waiting: Staged[] = []
  let turn = 0

  const stage = async (line: Line, key: string): Promise<void> => {
    const body = `{"tool":"refund_order","arguments":{"number":"A-${++turn}","reason":"It came broken"}}`
    waiting.push(JSON.parse(await line.ask(postRequest('/v1/actions', key, body))) as Staged)
  }
  const ask: Record<KindName, (line: Line, key: string) => Promise<unknown>> = {
    stage,
    read: (line, key) => line.ask(postRequest('/v1/tools/get_order/call', key, '{"arguments":{"number":"A-1001"}}')),
    async confirm(line) {
      const one = waiting.shift()
      if (one === undefined) throw new Error('Nothing is left to confirm.')
      const answer = await line.ask(postRequest(`/v1/actions/${one.actionId}/confirm`, one.confirmationToken, '{}'))
      if (!answer.startsWith('{"status":"Executed"'))
        throw new Error(`A write was not executed: ${answer.slice(0, 400)}`)
    },
    turn: (line, key) => line.ask(postRequest('/v1/chat', key, '{"prompt":"What is the state of order A-1001?"}')),
  }
  const kindOf = (shares: Shares): KindName => {
    let left = random.next() * KINDS.reduce((sum, kind) => sum + (shares[kind] ?? 0), 0)
    const found = KINDS.find((kind) => {
      left -= shares[kind] ?? 0
      return left < 0
    })
    return found ?? 'read'
  }

  return {
    async prepare(clients) {
      const some = lines.slice(0, clients)
      while (waiting.length < MOST_CONFIRMED)
        await Promise.all(some.map((line) => stage(line, shops[turn % shops.length]?.apiKey ?? '')))
    },
    async slice(shares, clients, milliseconds) {
      const busy = lines.slice(0, clients)
      let answers = 0
      const started = performance.now()
      const work = async (line: Line): Promise<void> => {
        do {
          await ask[kindOf(shares)](line, random.pick(shops)?.apiKey ?? '')
          answers++
        } while (performance.now() - started < lasting(milliseconds))
      }
      await Promise.all(busy.map(work))
      return answers
    },
    close() {
      for (const line of lines) line.close()
    },
  }
}
