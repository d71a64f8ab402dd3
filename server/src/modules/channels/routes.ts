import * as contract from '@tether/contract'
import { z } from 'zod'
import { ANYONE, type ProveSigned, type Route, route, SECRET_ONLY } from '../../tenancy/access/index.ts'
import type { Channels } from './channels.ts'
import { type ClickDriver, clicksPath, type Driver, hasClicks } from './driver.ts'
import { DRIVERS } from './drivers.ts'
import { readChannel, removeChannel, setChannel, testChannel } from './settings.ts'

export type ChannelParts = {
  readonly channels: Pick<Channels, 'take'>
  /** Counts what comes signed, and throws a refusal where that is too much. */
  readonly prove: ProveSigned
}

const here = { reach: SECRET_ONLY, lane: 'control', group: 'Notifications' } as const

/** A message with every field as long as it may be has not half of it. */
const MOST_BYTES = 256 * 1024

const settingsRoutes = (driver: Driver): readonly Route[] => {
  const { docs, request, view } = driver.settings
  const at = { ...here, path: `/v1/notifications/${driver.kind}` } as const
  return [
    route({
      ...at,
      ...docs.read,
      method: 'GET',
      answers: { 200: { schema: view } },
      handle: async (ctx) => ({ status: 200, body: await readChannel(ctx, driver) }),
    }),
    route({
      ...at,
      ...docs.set,
      method: 'PUT',
      body: request,
      answers: { 200: { schema: view } },
      handle: async (ctx, { body }) => ({ status: 200, body: await setChannel(ctx, driver, body) }),
    }),
    route({
      ...at,
      ...docs.remove,
      method: 'DELETE',
      answers: { 200: { schema: contract.ChannelRemoved } },
      handle: async (ctx) => ({ status: 200, body: await removeChannel(ctx, driver) }),
    }),
  ]
}

const testRoute = (driver: Driver): Route =>
  route({
    ...here,
    ...driver.settings.docs.test,
    method: 'POST',
    path: `/v1/notifications/${driver.kind}/test`,
    description: 'It answers what the other side said of it. What waits is posted as before, whatever that was.',
    answers: { 200: { schema: contract.ChannelTested } },
    errors: ['invalid_request', 'secret_unreadable'],
    handle: async (ctx) => ({ status: 200, body: await testChannel(ctx, driver) }),
  })

const clicksRoute = ({ kind, clicks }: ClickDriver, { channels, prove }: ChannelParts): Route =>
  route({
    ...clicks.docs,
    reach: ANYONE,
    // The handler counts it: what is signed by its workspace, and what is not by its address.
    lane: 'none',
    group: 'Notifications',
    method: 'POST',
    path: clicksPath(kind, ':tenantId'),
    signed: true,
    bodyLimit: MOST_BYTES,
    params: z.object({ tenantId: z.string() }),
    unlisted: true,
    // The bytes are read once their signature is proved.
    ownCheck: true,
    body: z.instanceof(Buffer),
    answers: { 200: { schema: clicks.answer } },
    errors: ['invalid_signature', 'rate_limited', 'secret_unreadable'],
    handle: async (ctx, { params: { tenantId: asked }, body, head }) => {
      // Without a body there is nothing that the signature could be of.
      const bytes = body ?? Buffer.alloc(0)
      const { tenantId, clicked } = await clicks.read(ctx, prove, { tenantId: asked, bytes, head })
      const isNew = clicked !== null && (await channels.take(tenantId, kind, clicked))
      return { status: 200, body: { received: clicked === null ? 'nothing' : isNew ? 'click' : 'repeated' } }
    },
  })

export const channelRoutes = (parts: ChannelParts): readonly Route[] => [
  ...DRIVERS.flatMap((driver) => [
    ...settingsRoutes(driver),
    ...(hasClicks(driver) ? [clicksRoute(driver, parts)] : []),
  ]),
  ...DRIVERS.map(testRoute),
]
