// One batch of 3 kB may ask for the whole catalog fifty times. Its messages run a few at a time, each response is written as text in
// an event-loop turn of its own, and together they hold no more than MAX_BATCH_BYTES.
import { setImmediate } from 'node:timers/promises'
import type { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { openTurnstile } from '../../tenancy/limits/index.ts'

export const MAX_BATCH_BYTES = 8 * 1024 * 1024
/** A response of this size always fits, so that the result of a staged write is never lost. */
const SMALL_BYTES = 32 * 1024

type Transport = WebStandardStreamableHTTPServerTransport
type Message = Parameters<Transport['send']>[0]
type Id = string | number

type BatchOptions = {
  /** The number of messages. */
  readonly size: number
  readonly concurrency: number
  /** Counts the bytes of the answer so far. False if the workspace may not hold as many now. */
  readonly reserve: (bytes: number) => boolean
}

/** The responses of a batch, by id. */
export type Batch = ReadonlyMap<Id, Buffer>

/**
 * Bounds the batch that this transport is about to handle; its server is connected already. Where the transport answers with JSON,
 * it is given an empty response for each of ours, and `batchContent` puts ours in their places.
 */
export function boundBatch(transport: Transport, { size, concurrency, reserve }: BatchOptions, isJson: boolean): Batch {
  const { onmessage } = transport
  const send = transport.send.bind(transport)
  const pass = openTurnstile(concurrency)
  const written = new Map<Id, Buffer>()
  const sent = new Map<Id, () => void>()
  let [bytes, isSpent] = [0, false]
  let turn = Promise.resolve()

  async function bounded(id: Id, message: Message): Promise<Message> {
    turn = turn.then(() => setImmediate())
    await turn
    const text = Buffer.from(JSON.stringify(message))
    const isSmall = text.length <= SMALL_BYTES
    const fits = bytes + text.length <= MAX_BATCH_BYTES - size * SMALL_BYTES
    const isHeld = (isSmall || fits) && reserve(bytes + text.length)
    if (!isHeld && !isSmall) {
      isSpent = true
      return await bounded(id, tooLarge(id))
    }
    bytes += text.length
    written.set(id, text)
    return isJson ? { jsonrpc: '2.0', id, result: {} } : message
  }

  transport.send = async (message, options) => {
    const id = 'method' in message ? undefined : message.id
    if (id === undefined) return await send(message, options)
    await send(await bounded(id, message), options)
    sent.get(id)?.()
  }
  transport.onmessage = (message, extra) => {
    if (!('method' in message && 'id' in message)) return onmessage?.(message, extra)
    const { id } = message
    void pass(async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      sent.set(id, resolve)
      if (isSpent) await transport.send(tooLarge(id))
      else onmessage?.(message, extra)
      await promise
    })
  }
  return written
}

const tooLarge = (id: Id): Message => ({
  jsonrpc: '2.0',
  id,
  error: {
    code: -32_000,
    message: `The answers of this batch hold ${MAX_BATCH_BYTES} bytes, which is the limit, or more of your answers are not read yet. Send this message in a request of its own.`,
    data: { code: 'batch_too_large' },
  },
})

/** The answer with our responses in the places of the empty ones; unchanged where the transport refused the whole batch. */
export function batchContent(text: string, written: Batch): string | Buffer {
  const all: unknown = written.size === 0 ? undefined : JSON.parse(text)
  if (all === undefined) return text
  // The cast is true because the transport was given each of these responses by `bounded`.
  const ids = ([all].flat() as { readonly id: Id }[]).map(({ id }) => id)
  const pieces = ids.flatMap((id, at) => [Buffer.from(at === 0 ? '' : ','), written.get(id) ?? Buffer.from('null')])
  return Array.isArray(all) ? Buffer.concat([Buffer.from('['), ...pieces, Buffer.from(']')]) : Buffer.concat(pieces)
}
