// Load whose second request comes of the answer to the first: a write is staged, and confirmed with the token it gave.
import { once } from 'node:events'
import net from 'node:net'
import { answerIn } from '../load.ts'
import { lasting } from '../parts/scale.ts'
import { postRequest, type Shop } from './shops.ts'

export type PairSlice = {
  readonly perSecond: number
  /** Of staging and confirming together. */
  readonly p50Ms: number
}

export type PairLoad = {
  /** Keeps every connection busy for that long with one write after the other. */
  slice(milliseconds: number): Promise<PairSlice>
  forget(): void
  /** Writes that were staged and executed. */
  pairs(): number
  stageP50Ms(): number
  confirmP50Ms(): number
  close(): void
}

type Took = { readonly stage: number; readonly confirm: number }

export async function openPairLoad(port: number, shops: readonly Shop[], connections: number): Promise<PairLoad> {
  const lines = await Promise.all(Array.from({ length: connections }, () => openLine(port)))
  let turn = 0
  let all: Took[] = []

  async function writeOne(line: Line): Promise<Took> {
    const key = shops[turn++ % shops.length]?.apiKey ?? ''
    const started = performance.now()
    const staged = JSON.parse(await line.ask(postRequest('/v1/actions', key, stageBody(turn))))
    const between = performance.now()
    const { actionId, confirmationToken } = staged as { actionId: string; confirmationToken: string }
    const text = await line.ask(postRequest(`/v1/actions/${actionId}/confirm`, confirmationToken, '{}'))
    if (!text.startsWith('{"status":"Executed"')) throw new Error(`A write was not executed: ${text.slice(0, 400)}`)
    return { stage: between - started, confirm: performance.now() - between }
  }

  return {
    async slice(milliseconds) {
      const took: Took[] = []
      const started = performance.now()
      const busy = async (line: Line) => {
        do took.push(await writeOne(line))
        while (performance.now() - started < lasting(milliseconds))
      }
      await Promise.all(lines.map(busy))
      all.push(...took)
      const perSecond = (took.length / (performance.now() - started)) * 1000
      return { perSecond, p50Ms: middle(took.map(({ stage, confirm }) => stage + confirm)) }
    },
    forget: () => {
      all = []
    },
    pairs: () => all.length,
    stageP50Ms: () => middle(all.map(({ stage }) => stage)),
    confirmP50Ms: () => middle(all.map(({ confirm }) => confirm)),
    close: () => {
      for (const line of lines) line.close()
    },
  }
}

const stageBody = (turn: number): string =>
  `{"tool":"refund_order","arguments":{"number":"A-${turn}","reason":"It came broken"}}`

const middle = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN

export type Line = { ask(request: Buffer): Promise<string>; close(): void }

/** One connection, which asks one thing at a time and is answered 200. */
export async function openLine(port: number): Promise<Line> {
  const socket = net.connect(port, '127.0.0.1').setNoDelay(true)
  await once(socket, 'connect')
  let unread: Buffer = Buffer.alloc(0)
  let waiting: PromiseWithResolvers<string> | undefined
  const fail = (why: string) => waiting?.reject(new Error(why))
  socket.on('error', ({ message }) => fail(message))
  socket.on('close', () => fail('The server closed a connection under load.'))
  socket.on('data', (bytes) => {
    unread = unread.length === 0 ? bytes : Buffer.concat([unread, bytes])
    const answer = answerIn(unread)
    if (answer === undefined) return
    const text = unread.toString('utf8', unread.indexOf('\r\n\r\n') + 4, answer.bytes)
    if (answer.status !== 200) return fail(`Expected 200, got ${answer.status}: ${text.slice(0, 800)}`)
    unread = unread.subarray(answer.bytes)
    waiting?.resolve(text)
  })
  return {
    ask(request) {
      if (socket.destroyed) return Promise.reject(new Error('The server closed a connection that rested.'))
      waiting = Promise.withResolvers<string>()
      socket.write(request)
      return waiting.promise
    },
    close: () => socket.destroy(),
  }
}
