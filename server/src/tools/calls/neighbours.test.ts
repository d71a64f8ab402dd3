import assert from 'node:assert/strict'
import test from 'node:test'
import type * as contract from '@tether/contract'
import type { z } from 'zod'
import { type NewTenant, openHouse } from '../../../testkit/house.ts'
import { ScriptedEndpoint } from '../../../testkit/scripted-endpoint.ts'
import { until } from '../../../testkit/until.ts'

const TOOL = { name: 'get_order', description: 'Looks up one order, for a test of two shops.', is_write: false }

test('a shop whose calls hang does not hold up the calls of another at the same host', async (t) => {
  const house = await openHouse({
    // Nobody's time is up in this test: a call that waited for those that hang would never be answered.
    settings: { 'ToolTransport:TimeoutSeconds': '60', 'ToolTransport:MaxAttempts': '1' },
  })
  const endpoint = new ScriptedEndpoint()
  t.after(async () => {
    await house.close()
    await endpoint.stop()
  })
  const url = await endpoint.start()
  const open = async (): Promise<NewTenant> => {
    const shop = await house.tenant()
    await house.ask('PUT', '/v1/tools', { key: shop.apiKey, body: [TOOL] })
    await house.ask('PUT', '/v1/endpoint', { key: shop.apiKey, body: { url } })
    return shop
  }
  const [hanging, other] = [await open(), await open()]
  let hung = 0
  const held = Promise.withResolvers<void>()
  endpoint.play(({ body }, response) => {
    if ((body.tenant as { organization_id: number }).organization_id === hanging.tenantId) {
      hung += 1
      void held.promise.then(() => response.end('{}'))
    } else response.end('{}')
  })
  const call = (shop: NewTenant) =>
    house.ask<z.output<typeof contract.CallAnswer>>('POST', '/v1/tools/get_order/call', { key: shop.apiKey, body: {} })
  const calls = Array.from({ length: 40 }, () => call(hanging))
  await until(() => hung === 32, 'every socket that the hanging shop may have is in use')
  assert.equal((await call(other)).body.status, 'ok')
  assert.equal(hung, 32, 'and the hanging shop has no more sockets than its share')
  held.resolve()
  for (const { body } of await Promise.all(calls)) assert.equal(body.status, 'ok')
})
