import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { COLLEAGUE, FORMER_COLLEAGUE, placeColleagues } from '../../../testkit/history.ts'
import { type OpenHouse, openHouse } from '../../../testkit/house.ts'
import { placeSession } from '../../../testkit/sessions.ts'
import { setBack } from '../../../testkit/set-back.ts'
import { unlisted } from '../../kernel/db/index.ts'
import { findSession, sessionLives, withLentSession } from './sessions.ts'

let house: OpenHouse
before(async () => {
  house = await openHouse()
})
after(() => house.close())

const findColleague = unlisted<{ personId: number }, { tenantId: number; userId: number }>(
  'test.find_colleague',
  'select id::float8 as "personId" from users where tenant_id = $tenantId::int and user_id = $userId::int',
)
const setActive = unlisted<unknown, { tenantId: number; personId: number; active: boolean }>(
  'test.set_active',
  'update users set active = $active::boolean where tenant_id = $tenantId::int and id = $personId::bigint',
)
const countSessions = unlisted<{ count: number }, { tenantId: number }>(
  'test.count_sessions',
  'select count(*)::int as count from user_sessions where tenant_id = $tenantId::int',
)

async function workspace() {
  const { tenantId } = await house.tenant()
  const { database } = house.database
  await placeColleagues(database, tenantId)
  const personOf = async (userId: number): Promise<number> =>
    (await database.one(findColleague, { tenantId, userId }))?.personId ?? assert.fail(`There is no user ${userId}.`)
  return { tenantId, database, active: await personOf(COLLEAGUE), inactive: await personOf(FORMER_COLLEAGUE) }
}

test('an open session does not count as live while its person is inactive', async () => {
  const { tenantId, database, active: personId } = await workspace()
  const found = await findSession(house.app.house, tenantId, await placeSession(database, tenantId, personId))
  assert.ok(found.ok)
  assert.equal(await sessionLives(house.app.house, found.session), true)
  await database.run(setActive, { tenantId, personId, active: false })
  assert.equal(await sessionLives(house.app.house, found.session), false)
})

test('only an active person is lent a session, which ends with the work', async () => {
  const { tenantId, database, active, inactive } = await workspace()
  const removed = inactive + 1_000_000
  const lend = (personId: number) =>
    withLentSession(house.app.house, { tenantId, personId, seconds: 60 }, async ({ person }) => person.id)
  assert.equal(await lend(active), active)
  assert.equal(await lend(inactive), null)
  assert.equal(await lend(removed), null)
  assert.deepEqual(await database.one(countSessions, { tenantId }), { count: 0 })
})

const leaveIdle = unlisted<unknown, { tenantId: number; minutes: number }>(
  'test.leave_idle',
  `update user_sessions set last_used_at = now() - make_interval(mins => $minutes::int) where tenant_id = $tenantId::int`,
)

test('the use of one session does not keep another session of its person open', async () => {
  const { tenantId, database, active: personId } = await workspace()
  const [used, idle] = [
    await placeSession(database, tenantId, personId),
    await placeSession(database, tenantId, personId),
  ]
  const { idleMinutes } = house.settings.userSessions
  const find = (token: string) => findSession(house.app.house, tenantId, token)
  await database.run(leaveIdle, { tenantId, minutes: idleMinutes - 1 })
  assert.equal((await find(used)).ok, true)
  await database.script(
    `update user_sessions set ${setBack('last_used_at', '2 minutes')} where tenant_id = ${tenantId}`,
  )
  assert.equal((await find(used)).ok, true)
  assert.deepEqual(await find(idle), { ok: false, reason: 'expired' })
})
