import { createClient } from 'redis'

export type ClientOptions = { readonly url: string; readonly connectMs: number }

export const makeClient = ({ url, connectMs }: ClientOptions) =>
  createClient({
    url,
    RESP: 2,
    maintNotifications: 'disabled',
    disableClientInfo: true,
    disableOfflineQueue: true,
    socket: { connectTimeout: connectMs, reconnectStrategy: false },
  })
