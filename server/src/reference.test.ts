import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { type OpenHouse, openHouse } from '../testkit/house.ts'
import { MODULES } from './modules.ts'

let house: OpenHouse
before(async () => {
  house = await openHouse({ modules: MODULES, settings: { 'RateLimit:AnonymousPerMinute': '1' } })
})
after(() => house.close())

const get = (path: string, headers: Record<string, string> = {}) =>
  house.app.server.inject({ method: 'GET', url: path, headers })

test('the reference comes compressed to whoever reads that, and not at all to whoever has it', async () => {
  for (const path of ['/openapi', '/swagger']) {
    const plain = await get(path)
    assert.deepEqual([plain.statusCode, plain.headers['content-encoding']], [200, undefined])
    assert.equal(plain.headers.vary, 'accept-encoding')
    const gzip = await get(path, { 'accept-encoding': 'gzip' })
    assert.deepEqual(
      [gzip.headers['content-encoding'], gunzipSync(gzip.rawPayload).toString()],
      ['gzip', plain.payload],
    )
    const brotli = await get(path, { 'accept-encoding': 'gzip, deflate, br' })
    assert.deepEqual(
      [brotli.headers['content-encoding'], brotliDecompressSync(brotli.rawPayload).toString()],
      ['br', plain.payload],
    )
    assert.ok(brotli.rawPayload.length * 5 < plain.rawPayload.length, `${brotli.rawPayload.length} bytes`)
    const etag = String(plain.headers.etag)
    const again = await get(path, { 'if-none-match': etag })
    assert.deepEqual([again.statusCode, again.payload], [304, ''])
    assert.equal((await get(path, { 'if-none-match': '"other"' })).statusCode, 200)
  }
})

test('what an answer means is a sentence, and no code stands in it twice', async () => {
  const { paths } = JSON.parse((await get('/openapi')).payload) as {
    paths: Record<string, Record<string, { responses: Record<string, { description: string }> }>>
  }
  for (const [path, methods] of Object.entries(paths))
    for (const [method, { responses }] of Object.entries(methods))
      for (const [status, { description }] of Object.entries(responses)) {
        const codes = description.match(/`[a-z_]+`/g) ?? []
        const where = `${method} ${path} ${status}: ${description}`
        assert.equal(new Set(codes).size, codes.length, where)
        assert.doesNotMatch(description, /\.,|\.\.| ,/, where)
      }
})

test('every operation lists invalid_request, because any request can hold a NUL character', async () => {
  const { paths } = JSON.parse((await get('/openapi')).payload) as {
    paths: Record<string, Record<string, { responses: Record<string, { description: string }> }>>
  }
  const without = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) =>
      responses['400']?.description.includes('`invalid_request`') ? [] : [`${method} ${path}`],
    ),
  )
  assert.deepEqual(without, [])
  const nul = await house.app.server.inject({ method: 'GET', url: '/health?a=%00' })
  assert.deepEqual([nul.statusCode, nul.json().error.code], [400, 'invalid_request'])
})
