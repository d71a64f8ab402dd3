import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type MailedHouse, newAddress, newClient, openMailedHouse } from '../../../testkit/mailed-house.ts'

let house: MailedHouse
before(async () => {
  house = await openMailedHouse()
})
after(() => house.close())

test('a page of somebody else’s cannot sign its visitors up: what it may send unasked is refused', async () => {
  const raw = JSON.stringify({ email: newAddress(), name: 'Corner Shop' })
  const sent = (headers: Record<string, string>) => house.ask('POST', '/v1/signup', { raw, headers, from: newClient() })
  const form = 'application/x-www-form-urlencoded'
  for (const origin of ['https://evil.example', 'null']) {
    for (const type of [{}, { 'content-type': form }, { 'content-type': `${form};charset=UTF-8` }]) {
      const { status, error } = await sent({ origin, ...type })
      assert.deepEqual([status, error?.code], [415, 'unsupported_media_type'], JSON.stringify([origin, type]))
    }
  }
  // A browser asks first whether it may send this one, and is told no.
  const asked = await house.ask('OPTIONS', '/v1/signup', {
    headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
  })
  assert.equal(asked.headers['access-control-allow-origin'], undefined)
  assert.equal((await sent({ 'content-type': form })).status, 200, 'as `curl -d` sends it')
})
