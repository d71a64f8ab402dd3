import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test, { after, before } from 'node:test'
import { type OpenHouse, openHouse } from '../../../../testkit/house.ts'
import { fetchLogo } from './logo.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const BODIES: Readonly<Record<string, Buffer>> = {
  '/logo.png': PNG,
  '/photo': Buffer.from('ffd8ffe000104a464946', 'hex'),
  '/anim.gif': Buffer.from('GIF89a......'),
  '/new.webp': Buffer.from('RIFF....WEBPVP8 ', 'latin1'),
  '/favicon.ico': Buffer.from('00000100010010100000', 'hex'),
  '/logo.svg': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
  '/page.png': Buffer.from('<!doctype html><script>alert(1)</script>'),
  '/empty.png': Buffer.alloc(0),
  '/large.png': Buffer.concat([PNG, Buffer.alloc(262_144)]),
}

let house: OpenHouse
let origin: string
const server = createServer(({ url = '' }, response) => {
  const body = BODIES[url]
  // Whatever it is, its owner calls it a PNG.
  response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'image/png' }).end(body)
})
before(async () => {
  house = await openHouse()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
after(async () => {
  await house.close()
  server.close()
})

test('a logo is what its bytes are, a raster of at most 256 KiB, or none at all', async () => {
  const types: Record<string, string | undefined> = {}
  for (const path of [...Object.keys(BODIES), '/none.png']) {
    types[path] = (await fetchLogo(house.app.house, 1, origin + path))?.type
  }
  assert.deepEqual(types, {
    '/logo.png': 'image/png',
    '/photo': 'image/jpeg',
    '/anim.gif': 'image/gif',
    '/new.webp': 'image/webp',
    '/favicon.ico': 'image/x-icon',
    '/logo.svg': undefined,
    '/page.png': undefined,
    '/empty.png': undefined,
    '/large.png': undefined,
    '/none.png': undefined,
  })
})

test('a private address is not asked for one', async () => {
  await using strict = await openHouse({
    settings: { 'ToolTransport:AllowInsecureEndpoint': 'true', 'ToolTransport:AllowPrivateNetworkEndpoint': 'false' },
  })
  assert.equal(await fetchLogo(strict.app.house, 1, `${origin}/logo.png`), null)
})
