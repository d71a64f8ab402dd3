// The statements of a line, without the processes that wait on it.
import assert from 'node:assert/strict'
import test from 'node:test'
import { openHouse } from '../../../testkit/house.ts'
import { setBack } from '../../../testkit/set-back.ts'
import { listening } from './module.ts'
import { isPresent, letIn, PRESENT_SECONDS, putOn } from './queries.ts'

test('a listener that was not seen for a while is absent, and a request that no one awaits takes no place on the line', async () => {
  await using house = await openHouse({ modules: [listening] })
  const { database } = house.database
  const { tenantId } = await house.tenant()
  await database.one(letIn, { tenantId, listener: 'laptop', newEpoch: 'epoch-1', askedEpoch: null })
  const put = (sealId: string) =>
    database.one(putOn, { tenantId, sealId, request: '{}', bytes: 2, mostOpen: 1, awaitedSeconds: 60 })
  assert.equal((await put('seal-1'))?.number, 1)
  assert.equal(await put('seal-2'), undefined, 'the line is full')
  await database.script(
    `update listener_requests set awaited_until = now() - interval '1 second' where tenant_id = ${tenantId}`,
  )
  assert.equal((await put('seal-3'))?.number, 2)
  const seenBefore = (seconds: number) =>
    database.script(
      `update listener_lines set ${setBack('seen_at', `${seconds} seconds`)} where tenant_id = ${tenantId}`,
    )
  assert.notEqual(await database.one(isPresent, { tenantId }), undefined)
  await seenBefore(PRESENT_SECONDS)
  assert.equal(await database.one(isPresent, { tenantId }), undefined)
})
