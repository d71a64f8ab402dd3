import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'

let house: OpenHouse
before(async () => {
  house = await openHouse({ settings: { 'RateLimit:AnonymousPerMinute': '1' } })
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

test('what an answer says stands apart from the codes that it may hold', async () => {
  const { paths } = (await get('/openapi')).json()
  const said = paths['/mcp'].post.responses['404'].description
  assert.equal(said, 'A method that there is not (revision 2026-07-28). `tenant_not_found`')
  assert.equal(paths['/v1/tools'].get.responses['404'].description, '`tenant_not_found`')
  const { payload } = await get('/swagger')
  assert.match(payload, /A method that there is not \(revision 2026-07-28\)\. <code>tenant_not_found<\/code>/)
  assert.doesNotMatch(payload, /\., `|<code>[^<]* [^<]*<\/code> <\/p>/)
})
