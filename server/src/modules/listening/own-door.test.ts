import assert from 'node:assert/strict'
import test from 'node:test'
import { openHouse, testSettings } from '../../../testkit/house.ts'
import { openApp } from '../../app.ts'
import { isOwnDoor } from '../../tenancy/access/index.ts'
import { listening } from './module.ts'

test('in Production the service calls its own address where a listener waits, and nowhere else', async (t) => {
  const house = await openHouse({ modules: [listening] })
  t.after(() => house.close())
  const settings = testSettings({ 'ToolTransport:AllowPrivateNetworkEndpoint': 'false' })
  const { egress: _, ...parts } = house.app.house
  const app = openApp({
    ...parts,
    modules: house.modules,
    // A name that the hosts file of every machine has, for a private address.
    settings: {
      ...settings,
      environment: 'Production',
      http: { ...settings.http, publicUrl: 'https://localhost:8443' },
    },
  })
  t.after(() => app.close())
  const isOpen = async (path: string) =>
    (await app.house.egress.checkAddress(`https://localhost:8443${path}`, { noun: 'Address', purpose: 'tool' })).ok
  const door = '/v1/listening/42/deliveries'
  assert.equal(await isOpen(door), true)
  for (const path of [
    '/',
    '/v1/tenants',
    '/v1/listening/requests',
    '/v1/listening/0/deliveries',
    '/v1/listening/042/deliveries',
    `${door}/../../../tenants`,
    `${door}?x=1`,
    `${door}/x`,
  ])
    assert.equal(await isOpen(path), false, path)
  for (const { path, ownDoor } of app.routes)
    if (ownDoor === undefined) assert.equal(await isOpen(path.replaceAll(/:\w+/g, '42')), false, path)
})

test('a route without a signature is not an own door, whatever it declares', async () => {
  await using house = await openHouse({ modules: [listening] })
  const routes = house.app.routes.map(({ signed: _, ...route }) => ({ ...route, ownDoor: /^/ }))
  assert.equal(isOwnDoor(routes, '/v1/tenants'), false)
})
