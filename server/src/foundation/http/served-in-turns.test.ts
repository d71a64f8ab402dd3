// Who waits for a turn of the event loop, and behind whom.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'

let house: OpenHouse
before(async () => {
  house = await openHouse()
})
after(() => house.close())

for (const [method, url] of [
  ['GET', '/%E0%A4'],
  ['OPTIONS', '/v1/chat'],
] as const) {
  test(`refusals and preflights are served one per turn of the event loop: ${method} ${url}`, async () => {
    let answered = 0
    let most = 0
    const all = Array.from({ length: 20 }, async () => {
      const { statusCode } = await house.app.server.inject({ method, url })
      answered++
      return statusCode
    })
    for (let before = 0; answered < 20; before = answered) {
      await new Promise((resolve) => setImmediate(resolve))
      most = Math.max(most, answered - before)
    }
    assert.ok(most <= 2, `${most} in one turn`)
    assert.ok((await Promise.all(all)).every((status) => status < 500))
  })
}
