import { createClient } from 'redis'

export type ClientOptions = { readonly url: string; readonly connectMs: number }

export const makeClient = ({ url, connectMs }: ClientOptions) =>
  createClient({
    url,
    RESP: 2,
    maintNotifications: 'disabled',
    disableClientInfo: true,
    socket: {
      connectTimeout: connectMs,
      // A client whose connection is gone is closed for good: what is asked of it is refused, and waits for nothing.
      reconnectStrategy: false,
      // A server that cannot prove who it is counts nothing for us, also where the environment disables that.
      ...(new URL(url).protocol === 'rediss:' ? { tls: true as const, rejectUnauthorized: true } : {}),
    },
  })
