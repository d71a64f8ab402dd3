// The shop's own server, as an integrator writes it: the receiver of the SDK checks the signature and runs each write once.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { receiver, type TetherEvent } from '@tether/sdk'
import { CATALOG } from './catalog.ts'
import type { Shop } from './shop.ts'

export type ShopEndpoint = { readonly url: string; close(): Promise<void> }

type Around = {
  readonly signingSecret: string
  /** A visitor asks for a person, and whoever runs the demo is one. */
  readonly onHandoff: (event: TetherEvent) => void
}

export async function openEndpoint(
  { tools }: Pick<Shop, 'tools'>,
  { signingSecret, onHandoff }: Around,
): Promise<ShopEndpoint> {
  // The claims are kept in memory and end with the process, as the shop's orders do.
  const events = { 'conversation.handoff': onHandoff }
  const { node } = receiver({ secret: signingSecret, catalog: CATALOG, tools, events })
  const server = createServer(node)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // The server must not keep the process alive.
  server.unref()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/tools`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
