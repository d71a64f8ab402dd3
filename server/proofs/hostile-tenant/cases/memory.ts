// What a tenant holds without finishing it: bodies that do not end, and answers that it does not read.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type HostileCase, json, repeated, times } from '../case.ts'
import { lines, ordinaryTool } from '../ordinary.ts'
import type { Line, Shot } from '../wire.ts'

const HELD_MS = 1_000
const MANY = 40
/** As many as are let in at the same time: what is sent and read beside those that are not. */
const LET_IN = { bodies: 4, lists: 16 }
const CATALOG_BYTES = 16_000_000
const ACTION_BYTES = 250_000

/** Sends heads with so much of their bodies, reads nothing, and leaves after a while. */
const abandoned =
  (shots: readonly Shot[], part = 1) =>
  async ({ port }: Line): Promise<number> => {
    const sockets = await Promise.all(shots.map((shot) => begun(port, shot, part)))
    await pause(HELD_MS)
    for (const socket of sockets) socket.destroy()
    return 200
  }

async function begun(port: number, { method, path, key, body }: Shot, part: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  await once(socket, 'connect')
  socket.pause()
  const type = 'content-type: application/json\r\n'
  socket.write(
    `${method} ${path} HTTP/1.1\r\nhost: a\r\nx-api-key: ${key}\r\n${type}content-length: ${body.length}\r\n\r\n`,
  )
  socket.write(body.subarray(0, Math.floor(body.length * part)))
  return socket
}

const unfinished: HostileCase = {
  name: 'catalogs that do not end',
  async prepare(stage) {
    const { apiKey: key } = await stage.workspace()
    const shot = { key, method: 'POST', path: '/v1/tools/validate' } as const
    const body = json(lines(CATALOG_BYTES))
    return {
      hostile: () =>
        abandoned(
          times(MANY, () => ({ ...shot, body })),
          0.9,
        ),
      harmless: () => times(LET_IN.bodies, () => ({ ...shot, body })),
    }
  },
}

const unread: HostileCase = {
  name: 'lists of large actions that nobody reads',
  async prepare(stage) {
    const write = { ...ordinaryTool(2), name: 'set_text', is_write: true, parameters: { type: 'object' } }
    const { apiKey: key, ask } = await stage.workspace([write])
    const text = repeated('x', ACTION_BYTES)
    for (const _ of times(60, () => 0)) await ask('POST', '/v1/actions', { tool: 'set_text', arguments: { text } })
    const shot = { key, method: 'GET', path: '/v1/actions?limit=200', body: Buffer.alloc(0) } as const
    return { hostile: () => abandoned(times(MANY, () => shot)), harmless: () => times(LET_IN.lists, () => shot) }
  },
}

export const memoryCases: readonly HostileCase[] = [unfinished, unread]
