import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Hosts } from './hosts.ts'

/** Called with the channel of every notification, and once after every gap in which one may have been lost. */
export type Hear = (channel: string) => void
type Listening = { close(): Promise<void> }
export type Listen = (channels: readonly string[], hear: Hear) => Listening

type Warn = (message: string, details: Record<string, unknown>) => void

const firstRetryMs = 500
const longestRetryMs = 15_000

/** `listen` takes no parameters, so we check here what goes into its text. */
function listenText(channels: readonly string[]): string {
  const odd = channels.find((channel) => !/^[a-z][a-z0-9_]{0,62}$/.test(channel))
  if (odd !== undefined) throw new Error(`"${odd}" is not a channel name. Use lower-case letters, digits and _.`)
  return channels.map((channel) => `listen ${channel}`).join('; ')
}

/** For a server: uses a separate connection, because one from the pool may be returned, or be behind a pooler. */
export const listenOnServer =
  ({ hosts, ...config }: pg.ClientConfig & { readonly hosts: Hosts }, warn: Warn): Listen =>
  (channels, hear) => {
    const text = listenText(channels)
    const stop = new AbortController()
    let present: pg.Client | undefined
    const tellAll = (): void => {
      for (const channel of channels) hear(channel)
    }

    const once = async (): Promise<void> => {
      const url = hosts.present
      const client = new pg.Client({ ...config, connectionString: url })
      const gone = new Promise<void>((resolve) => client.once('end', resolve))
      client.on('error', () => undefined) // The `end` event reports the same.
      client.on('notification', ({ channel }) => hear(channel))
      try {
        await client.connect()
        present = client
        await requireDirect(client)
        // A standby does not let us listen.
        await client.query(text)
        if (!stop.signal.aborted) tellAll()
        if (!stop.signal.aborted) await gone
      } catch (error) {
        hosts.passOver(url)
        throw error
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
          warn('Database notifications are interrupted. Work is polled until the connection is back.', { reason })
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

/** Through a pooler in transaction mode, `listen` would succeed, and each notification would reach some other client. */
async function requireDirect(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  // A pooler greets its clients with a number of its own.
  if (rows[0]?.pid === greetedAs(client)) return
  throw new Error('It leads to a pooler. Set Database:ListenUrl to the address of PostgreSQL itself.')
}

// The package's type lacks the number of the server process, but each client has it from the greeting on.
function greetedAs(client: pg.Client): number {
  return (client as unknown as { processID: number }).processID
}

type Ears = {
  /** Run for every new connection of the pool, so that it listens to every channel in use by then. */
  onConnect(client: pg.ClientBase): Promise<void>
  /** `command` runs SQL on a connection of the pool. */
  listen(command: (text: string) => Promise<void>): Listen
}

/**
 * For the embedded engine: its one session receives its own notifications with the answer of the notifying statement.
 */
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
      // If the connection is lost meanwhile, `onConnect` listens again when it comes back.
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
