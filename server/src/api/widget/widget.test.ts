import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test, { after, before } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { readScripts } from './index.ts'

const BUNDLE = readFileSync(new URL('../../../../widget/dist/service-assistant.js', import.meta.url))
const PATH = '/widget/service-assistant.js'

let house: OpenHouse
before(async () => {
  house = await openHouse()
})
after(() => house.close())

const get = (url: string, headers: Record<string, string> = {}) =>
  house.app.server.inject({ method: 'GET', url, headers })

test('the script comes as a page of another origin needs it, compressed as the browser takes it', async () => {
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes }
  for (const [accepted, coding] of [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['', 'identity'],
  ] as const) {
    const answer = await get(PATH, { 'accept-encoding': accepted })
    assert.equal(answer.statusCode, 200)
    assert.equal(answer.headers['content-encoding'] ?? 'identity', coding)
    assert.deepEqual(unpack[coding](answer.rawPayload), BUNDLE)
    assert.equal(answer.headers['cross-origin-resource-policy'], 'cross-origin')
    assert.equal(answer.headers['access-control-allow-origin'], '*')
    assert.equal(answer.headers['x-content-type-options'], 'nosniff')
    assert.equal(answer.headers['content-type'], 'text/javascript; charset=utf-8')
    assert.match(String(answer.headers.vary), /accept-encoding/)
  }
})

test('who has it is told so, in a few bytes', async () => {
  const { etag } = (await get(PATH)).headers
  for (const known of [String(etag), `W/${etag}`, `"x", ${etag}`]) {
    const again = await get(PATH, { 'if-none-match': known })
    assert.equal(again.statusCode, 304)
    assert.equal(again.rawPayload.length, 0)
    assert.equal(again.headers.etag, etag)
    assert.equal(again.headers['cross-origin-resource-policy'], 'cross-origin')
  }
  assert.equal((await get(PATH, { 'if-none-match': '"other"' })).statusCode, 200)
})

test('a site can pin one build: a name for ever, and a value that it is held against', async () => {
  const { body } = await house.ask<{ pinnedPath: string; integrity: string; bytes: number }>('GET', '/widget/build')
  const pinned = await get(body.pinnedPath)
  assert.equal(pinned.statusCode, 200)
  assert.match(String(pinned.headers['cache-control']), /immutable/)
  assert.equal(body.integrity, `sha384-${createHash('sha384').update(pinned.rawPayload).digest('base64')}`)
  assert.ok(body.bytes <= 12 * 1024)
  assert.equal((await get('/widget/pinned/service-assistant.0000000000000000.js')).statusCode, 404)
})

test('a build of an earlier release is served as long as it is kept', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'widget-'))
  try {
    mkdirSync(path.join(directory, 'released'))
    writeFileSync(path.join(directory, 'service-assistant.js'), 'new')
    writeFileSync(path.join(directory, 'service-assistant-more.js'), 'more')
    writeFileSync(path.join(directory, 'released', 'v1.js'), 'old')
    const { present, byName } = readScripts(directory)
    assert.deepEqual([...byName.values()].map(({ bodies }) => bodies.identity.toString()).sort(), [
      'more',
      'new',
      'old',
    ])
    assert.equal(byName.get(present.name), present)
  } finally {
    rmSync(directory, { recursive: true })
  }
})
