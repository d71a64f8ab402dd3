// A tenant that moves while all databases are sealed again could be in none of them when each one's turn comes.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import path from 'node:path'
import { test } from 'node:test'
import { openMovingHouse, takesServer as skip } from '../../testkit/moving-tenant.ts'
import { moveTenant } from '../ground/moves/index.ts'

const MAIN = path.join(import.meta.dirname, '../main.ts')

test('nothing is sealed again while a tenant moves, and where a move has not ended', { skip }, async () => {
  const moving = await openMovingHouse()
  const { house, guard } = moving
  const env = {
    PATH: process.env.PATH,
    Encryption__Key: randomBytes(32).toString('base64'),
    Encryption__PreviousKeys: house.settings.encryption.key,
    Database__Url: house.first?.url,
    Database__Shards: `second=${house.database.url}`,
  }
  const rotate = async () => {
    const child = spawn(process.execPath, [MAIN, 'rotate-encryption'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    const [[code], said, complaints] = await Promise.all([
      once(child, 'close'),
      child.stdout.toArray(),
      child.stderr.toArray(),
    ])
    return { code, said: said.join(''), complaints: complaints.join('') }
  }
  try {
    const { tenantId } = await moving.shop()
    const busy = await guard.transaction(async (tx) => {
      await tx.script('select pg_advisory_xact_lock(7303014552)')
      return await rotate()
    })
    assert.deepEqual([busy.code, busy.said], [1, ''])
    assert.match(busy.complaints, /A tenant is being moved/)
    const stop = new AbortController()
    const begun = { ...moving.move(tenantId, stop.signal), to: 'second' }
    const say = (line: string) => void (line.startsWith('Copied') && stop.abort())
    await assert.rejects(moveTenant({ ...begun, say }), /stopped/)
    assert.match((await rotate()).complaints, /A move of tenant \d+ from "first" to "second" was begun/)
    const { limits } = begun
    await moveTenant({ ...moving.move(tenantId), to: 'second', limits: { ...limits, staleMs: 0 } })
    const done = await rotate()
    assert.equal(done.code, 0, done.complaints)
    assert.match(done.said, /first: .*\nsecond: .* 0 could not be opened.\nThe previous keys are no longer needed/)
  } finally {
    await moving.close()
  }
})
