import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

/** Hears a name whenever it is notified, and once after every gap in which a notification may have been missed. */
export type Hear = (channel: string) => void
export type Listening = { close(): Promise<void> }
export type Listen = (channels: readonly string[], hear: Hear) => Listening

type Warn = (message: string, details: Record<string, unknown>) => void

const firstRetryMs = 500
const longestRetryMs = 15_000

/** `listen` takes no parameter, so what may stand in its text is held here. */
function listenText(channels: readonly string[]): string {
  const odd = channels.find((channel) => !/^[a-z][a-z0-9_]{0,62}$/.test(channel))
  if (odd !== undefined) throw new Error(`"${odd}" is no name of a channel: use lower-case letters, digits and _.`)
  return channels.map((channel) => `listen ${channel}`).join('; ')
}

/** On a server: a connection of its own, because one of the pool may be given back, or stand behind a pooler. */
export const listenOnServer =
  (config: pg.ClientConfig, warn: Warn): Listen =>
  (channels, hear) => {
    const text = listenText(channels)
    const stop = new AbortController()
    let present: pg.Client | undefined
    const tellAll = (): void => {
      for (const channel of channels) hear(channel)
    }

    const once = async (): Promise<void> => {
      const client = new pg.Client(config)
      const gone = new Promise<void>((resolve) => client.once('end', resolve))
      client.on('error', () => undefined) // its end says the same
      client.on('notification', ({ channel }) => hear(channel))
      try {
        await client.connect()
        present = client
        await client.query(text)
        if (!stop.signal.aborted) tellAll()
        if (!stop.signal.aborted) await gone
      } finally {
        present = undefined
        await client.end().catch(() => undefined)
      }
    }

    const run = async (): Promise<void> => {
      for (let failures = 0; !stop.signal.aborted; ) {
        const started = performance.now()
        const reason = await once().then(
          () => 'its connection ended',
          (error: unknown) => (error instanceof Error ? error.message : String(error)),
        )
        if (stop.signal.aborted) return
        failures = performance.now() - started > longestRetryMs ? 1 : failures + 1
        if (failures === 1)
          warn('Notifications of the database are not heard for a moment; work is polled.', { reason })
        await pause(Math.min(longestRetryMs, firstRetryMs * 2 ** (failures - 1)), undefined, {
          signal: stop.signal,
        }).catch(() => undefined)
      }
    }

    const running = run()
    return {
      async close() {
        stop.abort()
        await present?.end().catch(() => undefined)
        await running
      },
    }
  }

export type Ears = {
  /** For every new connection of the pool: it listens to all that is listened to by then. */
  onConnect(client: pg.ClientBase): Promise<void>
  /** `command` runs a text on a connection of the pool. */
  listen(command: (text: string) => Promise<void>): Listen
}

/** On the embedded engine: the one session there is tells itself, with the answer of the statement that notified. */
export function openEars(): Ears {
  const heard = new Map<string, Set<Hear>>()
  return {
    async onConnect(client) {
      client.on('notification', ({ channel }: pg.Notification) => {
        for (const hear of heard.get(channel) ?? []) hear(channel)
      })
      if (heard.size > 0) await client.query(listenText([...heard.keys()]))
    },
    listen: (command) => (channels, hear) => {
      const text = listenText(channels)
      for (const channel of channels) heard.set(channel, (heard.get(channel) ?? new Set()).add(hear))
      // A connection that is lost meanwhile listens when it comes back: see onConnect.
      const begun = command(text).catch(() => undefined)
      return {
        async close() {
          for (const channel of channels) heard.get(channel)?.delete(hear)
          await begun
        },
      }
    },
  }
}
