import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'node:test'
import { testSettings } from '../../../testkit/house.ts'
import type { Purpose } from './context.ts'
import { openWayOut } from './way-out.ts'

test('the private places of an operator are for tool calls and events, and for nothing that a stranger names', async (t) => {
  const server = createServer((_, response) => response.end('inside'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const settings = testSettings({
    'ToolTransport:AllowPrivateNetworkEndpoint': 'false',
    'Outbound:AllowedPrivate': '127.0.0.1',
  })
  const egress = openWayOut(settings, 'test', () => false)
  t.after(() => egress.close(0))
  const reaches = async (purpose: Purpose) => {
    const common = { url, method: 'GET', deadlineMs: 3000, maxBytes: 1000, credentialed: false, share: 1 } as const
    const { kind } = await egress.request({ purpose, ...common })
    const { ok } = await egress.checkAddress(url, { noun: 'Address', purpose })
    return [kind, ok]
  }
  const expected: Record<Purpose, readonly [string, boolean]> = {
    tool: ['answer', true],
    event: ['answer', true],
    notice: ['answer', true],
    check: ['refused', false],
    crawl: ['refused', false],
    picture: ['refused', false],
  }
  for (const purpose of Object.keys(expected) as Purpose[])
    assert.deepEqual(await reaches(purpose), expected[purpose], purpose)
})

test('in Production the service calls its own address only through an own door, for tool calls and events', async (t) => {
  const settings = {
    ...testSettings({ 'ToolTransport:AllowPrivateNetworkEndpoint': 'false' }),
    environment: 'Production' as const,
  }
  // A name that the hosts file of every machine has, for a private address.
  const http = { ...settings.http, publicUrl: 'https://localhost:8443' }
  const open = (isOwnDoor: (path: string) => boolean) => {
    const egress = openWayOut({ ...settings, http }, 'test', isOwnDoor)
    t.after(() => egress.close(0))
    return async (url: string, purpose: Purpose = 'tool') =>
      (await egress.checkAddress(url, { noun: 'Address', purpose })).ok
  }
  const door = 'https://localhost:8443/door'
  const isOpen = open((path) => path === '/door')
  assert.deepEqual([await isOpen(door), await isOpen(door, 'event')], [true, true])
  for (const purpose of ['check', 'crawl', 'picture'] as const)
    assert.equal(await isOpen(door, purpose), false, purpose)
  for (const url of [
    'https://localhost:8443/',
    'https://localhost:8444/door',
    'http://localhost:8443/door',
    'https://x.localhost:8443/door',
    'https://127.0.0.1:8443/door',
    `${door}?x=1`,
    `${door}/x`,
  ])
    assert.equal(await isOpen(url), false, url)
  assert.equal(await open(() => false)(door), false, 'without an own door')
})
