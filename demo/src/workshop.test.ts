import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openWorkshop, WORKSHOP_DECLARATION, WORKSHOP_DOCUMENT, WORKSHOP_TOKEN, type Workshop } from './index.ts'

let workshop: Workshop
before(async () => {
  workshop = await openWorkshop()
})
after(() => workshop.close())

const TOKEN = { authorization: `Bearer ${WORKSHOP_TOKEN}` }
async function ask(path: string, { body, ...headers }: Record<string, string> = {}) {
  const init = body === undefined ? {} : { method: 'POST', body }
  const answer = await fetch(workshop.url + path, { ...init, headers: { ...TOKEN, ...headers } })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}
const nino = { 'x-service-customer-id': 'nino' }

test('the document is for everybody, and everything else needs the token', async () => {
  const document = await (await fetch(`${workshop.url}/openapi.json`)).json()
  assert.deepEqual(document, JSON.parse(JSON.stringify(WORKSHOP_DOCUMENT)))
  for (const authorization of ['', 'Bearer other', WORKSHOP_TOKEN])
    assert.equal((await ask('/classes', { authorization })).status, 401, authorization)
  assert.equal((await ask('/classes')).status, 200)
})

test('places are booked once for each key, for whoever is signed in, as long as there are any', async () => {
  const book = (seats: unknown, key: string, customer: Record<string, string> = nino) =>
    ask('/classes/k-1/booking', { body: JSON.stringify({ seats }), 'idempotency-key': key, ...customer })
  const first = await book(3, 'one')
  assert.deepEqual(first, { status: 200, body: { code: 'K-1', seats: 3 } })
  assert.deepEqual(await book(3, 'one'), first)
  assert.equal((await book(2, 'two')).status, 409)
  assert.equal((await book('1', 'three')).status, 422)
  assert.equal((await book(1, 'four', {})).status, 403)
  assert.equal(
    (await ask('/classes/K-9/booking', { body: '{"seats":1}', 'idempotency-key': 'five', ...nino })).status,
    404,
  )
  assert.deepEqual((await ask('/classes/K-1/booking', nino)).body, { code: 'K-1', seats: 3 })
  assert.equal((await ask('/classes/K-1/booking', { 'x-service-customer-id': 'giorgi' })).body.seats, 0)
  assert.equal((await ask('/classes/K-1')).body.free, 1)
  assert.equal((await ask('/classes/K-1/booking', { body: 'no json', ...nino })).status, 400)
})

test('the declaration names operations of the document, and not the one that calls a class off', () => {
  const named = Object.values(WORKSHOP_DOCUMENT.paths).flatMap((item) =>
    Object.values(item).flatMap((one) => ('operationId' in one ? [one.operationId] : [])),
  )
  assert.deepEqual(
    named.filter((name) => !(name in WORKSHOP_DECLARATION)),
    ['call_off_class'],
  )
})
