// Who asks while a server is looked at is told what that look finds, but for a write.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { McpServer } from './fixtures/mcp-server.ts'
import { declared, set, TOOLS } from './fixtures/shop.ts'
import { lookTogether } from './looks.ts'
import { findUpstream } from './queries.ts'
import { openKnownServers } from './reaching.ts'

test('reads share the look that is under way, and writes the one after it', async (t) => {
  const server = new McpServer(TOOLS)
  const { answer } = await declared(t, 'shared_look', {}, server)
  assert.equal(answer.status, 200, answer.text)
  const { house } = set.house.app
  const servers = openKnownServers()
  const { tenantId } = set.shop
  const row = (await house.db.one(findUpstream, { tenantId, name: 'shared_look' })) ?? assert.fail('no row')
  const looking = { row, credential: null, deadlineMs: 30_000 }
  const look = (fresh: boolean) => lookTogether({ ...house, servers, asking: { tenantId } }, { ...looking, fresh })
  const before = server.count('tools/list')
  const first = look(false)
  const reads = [look(false), look(false)]
  const writes = [look(true), look(true), look(true)]
  // The first look ends with the server as it was, whatever becomes of it then.
  void first.then(() => {
    server.tools = TOOLS.slice(0, 1)
  })
  const found = async (looks: readonly ReturnType<typeof look>[]) =>
    (await Promise.all(looks)).map((end) => (end.ok ? Object.keys(end.value) : end.message))
  assert.deepEqual(await found([first, ...reads]), [[], [], []])
  const vanished = ['create-issue', 'draw']
  assert.deepEqual(await found(writes), [vanished, vanished, vanished])
  assert.equal(server.count('tools/list') - before, 2)
  assert.deepEqual(await found([look(false)]), [vanished])
  assert.equal(server.count('tools/list') - before, 3, 'nothing of a look is kept when it has ended')
})

test('two services in one process do not share a look', async (t) => {
  const server = new McpServer(TOOLS)
  await declared(t, 'two_services', {}, server)
  const { house } = set.house.app
  const { tenantId } = set.shop
  const row = (await house.db.one(findUpstream, { tenantId, name: 'two_services' })) ?? assert.fail('no row')
  const looking = { row, credential: null, deadlineMs: 30_000, fresh: false }
  const before = server.count('tools/list')
  const [one, other] = [openKnownServers(), openKnownServers()]
  const looks = [one, one, other].map((servers) => lookTogether({ ...house, servers, asking: { tenantId } }, looking))
  assert.deepEqual(
    (await Promise.all(looks)).map(({ ok }) => ok),
    [true, true, true],
  )
  assert.equal(server.count('tools/list') - before, 2)
})
